"""A page of --html: python3 html_page.py PAGE [NUMBERS [K.c]]. It is well formed, loads nothing, names every place once, and
every link inside of it leads somewhere; tables have heads, plots have words. NUMBERS: a file of numbers, all of which
the page has as values. K.c: the text, below its head, that its emitted code is. Prints what is wrong, and exits 1
then."""
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "path", "circle", "rect", "use", "line", "polygon", "polyline", "ellipse"}
LOADING = {"script", "link", "iframe", "img", "object", "embed", "base", "form", "audio", "video", "source", "image"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.ids, self.links, self.values = [], [], set(), [], []
        self.headings, self.style, self.figures = [], "", 0
        self.code, self.line, self.depth, self.margin = {}, None, 0, 0  # of the emitted code: lines, the one at hand

    def bad(self, what):
        self.wrong.append("line %d: %s" % (self.getpos()[0], what))

    def start(self, tag, attributes):
        a = dict(attributes)
        if len(a) != len(attributes):
            self.bad("an attribute stands twice in <%s>" % tag)
        if tag in LOADING:
            self.bad("<%s>" % tag)
        for name, value in a.items():
            value = value or ""
            if name.startswith("on") or "url(" in value or "javascript:" in value:
                self.bad("%s=%s" % (name, value))
            if name in ("href", "src", "xlink:href", "srcset", "data", "action") and not value.startswith("#"):
                self.bad("%s leads out of the page: %s" % (name, value))
            if name == "href" and value.startswith("#"):
                self.links.append((value[1:], self.getpos()[0]))
        if "id" in a:
            if a["id"] in self.ids:
                self.bad("two places are named %s" % a["id"])
            self.ids.add(a["id"])
        if tag == "th" and a.get("scope") not in ("row", "col"):
            self.bad("<th> without a scope")
        if a.get("role") == "img" and not a.get("aria-label"):
            self.bad("a plot without words")
        if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            self.headings.append(int(tag[1]))
            if len(self.headings) > 1 and self.headings[-1] > self.headings[-2] + 1:
                self.bad("<%s> below <h%d>" % (tag, self.headings[-2]))
        if tag == "data":
            self.values.append(float(a["value"]))
        self.figures += tag == "figure"

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes)
        if tag in VOID:
            return
        self.open.append(tag)
        a = dict(attributes)
        if re.fullmatch(r"k0-[0-9]+", a.get("id", "")):
            self.line, self.depth = int(a["id"][3:]), len(self.open)
            self.code[self.line] = ""
        if self.line and a.get("class") in ("no", "at"):
            self.margin = self.margin or len(self.open)

    def handle_startendtag(self, tag, attributes):
        self.start(tag, attributes)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.bad("</%s> inside of %s" % (tag, self.open[-3:]))
            return
        if self.margin == len(self.open):
            self.margin = 0
        if self.line and self.depth == len(self.open):
            self.line = None
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        if self.line and not self.margin:
            self.code[self.line] += data


def main():
    page = Page()
    page.feed(open(sys.argv[1], encoding="utf-8").read())
    page.close()
    wrong = page.wrong
    wrong += ["%s is not closed" % t for t in page.open]
    wrong += ["line %d: nothing is named %s" % (line, to) for to, line in page.links if to not in page.ids]
    if "url(" in page.style or "@import" in page.style:
        wrong.append("the style loads something")
    if page.headings.count(1) != 1:
        wrong.append("%d headings of the page" % page.headings.count(1))
    for line in open(sys.argv[2]) if len(sys.argv) > 2 else []:
        x = float(line)
        if not any(abs(x - v) <= 2e-8 * max(abs(x), abs(v)) for v in page.values):
            wrong.append("%s is not on the page" % line.strip())
    if len(sys.argv) > 3:
        written, shown = open(sys.argv[3]).read(), "".join(page.code[i] for i in sorted(page.code))
        if written[written.index("#include"):] != shown:
            wrong.append("the emitted code is not %s" % sys.argv[3])
    print("%d figures, %d links, %d values" % (page.figures, len(page.links), len(page.values)))
    for w in wrong[:20]:
        print(w)
    return 1 if wrong else 0


sys.exit(main())
