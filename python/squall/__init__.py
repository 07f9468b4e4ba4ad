"""The program squall, as a wheel carries it: `squall` and `python -m squall` run it."""
import os
import sys

executable = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "squall")


def main():
    os.execv(executable, [executable] + sys.argv[1:])
