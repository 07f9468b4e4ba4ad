"""python -m squall"""
from squall import main

main()
