"""A row of the table, and how it is printed."""

from dataclasses import dataclass


@dataclass
class Row:
    what: str
    value: float
    relation: str  # "<=" or ">="
    bound: float
    detail: str

    def holds(self) -> bool:
        return self.value <= self.bound if self.relation == "<=" else self.value >= self.bound

    def text(self) -> str:
        bound = f"{'at most' if self.relation == '<=' else 'at least'} {self.bound:g}"
        verdict = "holds" if self.holds() else "**short**"
        return f"| {self.what} | {self.value:.2f} | {bound} | {verdict} | {self.detail} |"


HEAD = "| what | measured | bound | | medians |\n|---|---|---|---|---|"
