"""A bar of one line at the terminal's foot, with room for the echo of an interrupt."""

from rich.console import RenderableType
from rich.constrain import Constrain
from rich.progress import Progress


class Bar(Progress):
    """Rich's, which leaves no line behind when the terminal grows narrower and folds what was
    drawn.
    """

    drawn = 0
    """Columns of the line that is there."""

    def get_renderable(self) -> RenderableType:
        renderable = super().get_renderable()
        if not hasattr(self, "live"):
            # Rich asks before it is made.
            return renderable
        width = self.console.width
        if width < self.drawn:
            self.erase(-(-self.drawn // width))
        if not self.live.is_started:
            return renderable
        room = max(1, width - len("^C") - 1)
        self.drawn = room if self.expand else min(room, self.console.measure(renderable).maximum)
        return Constrain(renderable, room)

    def erase(self, rows: int) -> None:
        """All rows that the line was folded into; the cursor is in the last."""
        self.console.file.write(f"\r\x1b[{rows - 1}A\x1b[J")
        self.console.file.flush()
