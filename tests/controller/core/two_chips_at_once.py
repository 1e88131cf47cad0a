"""Two chips of a lost tray go two ways and are decided in one round: prints the motions. Run by `test_hash_seeds.py`."""

from controller import commands
from controller.table.setup import House
from tests.controller import random_play
from tests.controller.core_table import FLOP, HANDS, counted

if __name__ == "__main__":
    random_play.SEATS = 4
    HANDS.setdefault(4, ("Js", "Jh"))
    table = counted(4, house=House(confirm="never", check="say"))
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    table.run(2500)
    for seat in table.config.sensors.holes:
        table.deal(seat, *HANDS[seat])
    table.run(1500)
    for seat, word in ((4, "call"), (1, "call"), (2, "call"), (3, "check")):
        table.say(seat, word)
    table.board(*FLOP)
    table.run(2500)
    for step in (("lose", 3), ("run", 2800), ("splash", 3), ("sweep", 3), ("push", 3, [50]), ("run", 3000)):
        random_play.play(table, step)
    for number, motion in sorted(table.core.open.items()):
        print(number, *[move.item for move in motion.moves])
