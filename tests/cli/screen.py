"""A command on a terminal of its own: python3 screen.py COLUMNS ROWS [WHEN ACTION]... -- COMMAND...

Interprets what the command writes, as a terminal does, and leaves in the current folder:

    raw      the bytes
    screen   what a person sees at the end, what has scrolled away on top
    frames   what stood there whenever the command paused, each after a line "=== ROW,COLUMN of the cursor"

WHEN is text; the first time that it is on the screen when the command pauses, ACTION happens: int (the keys Ctrl-C), kill (SIGKILL), stop (it is
stopped, the shell that this is says so, and goes on with it), or a number (the terminal has so many columns).
Exits with the command's code, 128 and the number of a signal that ended it, or 99 when the terminal got what it should
not: an unknown sequence, or a character beyond the last column."""
import codecs, fcntl, os, pty, re, select, signal, struct, sys, termios, time

SEQUENCE = re.compile(r"\x1b\[([?]?)([0-9;]*)([A-Za-z])")


class Screen:
    """Rows without end, of which the last `height` are in sight."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows, self.row, self.column, self.wraps = [""], 0, 0, True

    def top(self):
        return max(0, len(self.rows) - self.height)

    def put(self, c):
        if self.column == self.width:
            if not self.wraps:
                raise ValueError(f"a character beyond column {self.width}: {self.rows[self.row]!r} {c!r}")
            self.feed("\r\n")
        row = self.rows[self.row].ljust(self.column)
        self.rows[self.row] = row[: self.column] + c + row[self.column + 1 :]
        self.column += 1

    def control(self, private, number, letter):
        n = int(number or 1) if ";" not in number else 1
        if letter == "m":
            return
        if private and number == "7" and letter in "lh":
            self.wraps = letter == "h"
        elif not private and letter == "A":
            self.row = max(self.top(), self.row - n)
        elif not private and letter == "J" and number == "":
            self.rows[self.row] = self.rows[self.row][: self.column]
            del self.rows[self.row + 1 :]
        elif not private and letter == "K" and number == "":
            self.rows[self.row] = self.rows[self.row][: self.column]
        else:
            raise ValueError(f"an unknown sequence: {private}{number}{letter}")

    def feed(self, text):
        while text:
            found = SEQUENCE.match(text)
            if found:
                self.control(*found.groups())
                text = text[found.end() :]
                continue
            c, text = text[0], text[1:]
            if c == "\r":
                self.column = 0
            elif c == "\n":
                self.row += 1
                if self.row == len(self.rows):
                    self.rows.append("")
            elif c == "\b":
                self.column = max(0, self.column - 1)
            elif c >= " ":
                self.put(c)
            else:
                raise ValueError(f"an unknown character: {c!r}")

    def resize(self, width):
        """Rows that are too long go on in the next, as most terminals do it."""
        rows, at = [], 0
        for i, row in enumerate(self.rows):
            if i == self.row:
                at = len(rows)
            rows += [row[j : j + width] for j in range(0, max(1, len(row)), width)]
        self.rows, self.row, self.width = rows, at, width

    def text(self):
        return "".join(row.rstrip() + "\n" for row in self.rows)


def set_size(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def act(action, fd, pid, screen, rows):
    if action == "int":
        os.write(fd, b"\x03")
    elif action == "kill":
        os.kill(pid, signal.SIGKILL)
    elif action == "stop":
        os.kill(pid, signal.SIGSTOP)
        os.waitpid(pid, os.WUNTRACED)
        screen.feed("stopped\r\n")
        os.kill(pid, signal.SIGCONT)
    else:
        screen.resize(int(action))
        set_size(fd, int(action), rows)


def main(arguments):
    split = arguments.index("--")
    columns, rows, *rules = arguments[:split]
    pid, fd = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        time.sleep(0.1)  # until the size is set
        os.execvp(arguments[split + 1], arguments[split + 1 :])
    set_size(fd, int(columns), int(rows))
    screen, todo = Screen(int(columns), int(rows)), list(zip(rules[::2], rules[1::2]))
    decoder, held = codecs.getincrementaldecoder("utf-8")(), ""
    raw, frames, limit = open("raw", "wb"), open("frames", "w"), time.time() + 120
    while time.time() < limit:
        ready, _, _ = select.select([fd], [], [], 0.02)
        if not ready:
            shown = f"=== {screen.row},{screen.column}\n" + screen.text()
            if shown != held:
                frames.write(shown)
                held = shown
            for rule in [r for r in todo if r[0] in shown]:
                todo.remove(rule)
                act(rule[1], fd, pid, screen, int(rows))
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        raw.write(data)
        try:
            screen.feed(decoder.decode(data))
        except ValueError as e:
            print(e, file=sys.stderr)
            os.kill(pid, signal.SIGKILL)
            return 99
    else:
        os.kill(pid, signal.SIGKILL)
    open("screen", "w").write(screen.text())
    _, status = os.waitpid(pid, 0)
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


sys.exit(main(sys.argv[1:]))
