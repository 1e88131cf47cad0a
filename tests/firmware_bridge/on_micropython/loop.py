"""The loop of a board on standard input and output; says so when it was left."""

import table  # beside this file, as `board` is on a microcontroller

from firmware_bridge.firmware import main


class Recorder:
    """Who may interrupt, in the order in which it was said; `read` is the first look at what the host says."""

    said = []

    @staticmethod
    def kbd_intr(char):
        Recorder.said.append(char)


class Host(main.UsbHost):
    def read(self):
        if "read" not in Recorder.said:
            Recorder.said.append("read")
        return main_read(self)


main_read = main.UsbHost.read
main.micropython, main.UsbHost = Recorder, Host
main.run(table)
print("left", Recorder.said)
