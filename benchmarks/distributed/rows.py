"""What is measured, and the tables that it makes."""
import math
import statistics
from dataclasses import dataclass, field
from typing import Callable


def time_text(seconds):
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"


def size_text(number):
    return f"{number / 2**20:.2f} MB" if number >= 2**20 else f"{number / 2**10:.0f} KB"


def yes_text(number):
    return "yes" if number == 1 else "no"


def number_text(number):
    return f"{number:.3g}"


@dataclass
class Row:
    """A line of a table. `limit` is what the value should be at most; of the peer's value where it is `relative`."""
    name: str
    wanted: str = ""
    limit: float = math.nan
    text: Callable = time_text
    relative: bool = False
    beyond: str = ""  # what stands for a value that did not come in its time
    values: dict = field(default_factory=dict)  # by side

    def value(self, side):
        measured = self.values.get(side)
        return statistics.median(measured) if measured else math.nan

    def shown(self, side):
        value = self.value(side)
        if math.isnan(value):
            return "-"
        return self.beyond if math.isinf(value) else self.text(value)

    def ratio(self):
        own, peer = self.value("Strata"), self.value("PyTorch")
        return own / peer if peer and math.isfinite(peer) else math.nan

    def badness(self):
        """In units of what is wanted; rows without a limit or a value come last."""
        value = self.ratio() if self.relative else self.value("Strata")
        share = value / self.limit if self.limit else 2 * value  # where nothing is wanted to happen, once is too much
        return -math.inf if math.isnan(share) else share


@dataclass
class Trial:
    """Something that is done on each side in turn; `measure(side)` returns a number for each row, or None."""
    rows: list
    measure: Callable
    has_peer: bool = True
    turns: int = 0  # 0: as often as is asked for


def print_table(family, rows):
    rows = [row for row in rows if row.values]
    if not rows:
        return
    print(f"\n| {family} | Strata | PyTorch | Strata / PyTorch | wanted |\n|---|---|---|---|---|")
    for row in sorted(rows, key=Row.badness, reverse=True):
        ratio = row.ratio()
        print(f"| {row.name} | {row.shown('Strata')} | {row.shown('PyTorch')} "
              f"| {'' if math.isnan(ratio) else f'{ratio:.2g}'} | {row.wanted} |")
    print(flush=True)
