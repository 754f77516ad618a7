"""A program that plays Nim until it is asked for a move, and then shows one bad habit: `bad.py HABIT [FILE]`.

What it starts writes its process number into FILE, a line each.
"""

import os
import signal
import subprocess
import sys
import time

from nim import Nim

SLEEP = [sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(1000)"]


def note(pid):
    with open(sys.argv[2], "a") as file:
        file.write(f"{pid}\n")


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def sleeps():
    time.sleep(1000)


def ignores_sigterm():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(1000)


def garbage():
    say("Hello! My move is B3.\n\n")


def control_characters():
    say("= \x1b[2J\x07B\n\n")


def nonsense_move():
    say("= Q99\n\n")


def illegal_move():
    say("= A9\n\n")


def two_answers():
    say("= A1\n\n= A1\n\n")


def empty_answer():
    say("=\n\n")


def refuses():
    say("? cannot think\n\n")


def resigns():
    say("= resign\n\n")


def endless_lines():
    while True:
        say("= A1\n" + "x" * 100 + "\n")


def endless_line():
    while True:
        say("= " + "x" * 1000)


def endless_errors():
    while True:
        os.write(2, b"oh no " * 1000)


def dribbles():
    while True:
        say("=")
        time.sleep(0.02)


def exits():
    print("out of memory, sorry", file=sys.stderr, flush=True)
    sys.exit(3)


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


def closes_output():
    os.close(1)
    time.sleep(1000)


def late():
    time.sleep(2)
    say("= A1\n\n")


def forks():
    """A child, a grandchild in a session of its own, and an orphan: all deaf to polite signals."""
    note(subprocess.Popen(SLEEP).pid)
    note(subprocess.Popen(SLEEP, start_new_session=True).pid)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            note(os.getpid())
            ignores_sigterm()
        os._exit(0)
    ignores_sigterm()


def forks_and_exits():
    note(subprocess.Popen(SLEEP, start_new_session=True).pid)
    sys.exit(0)


def main():
    habit = globals()[sys.argv[1]]
    if len(sys.argv) > 2:
        note(os.getpid())
    game = Nim()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "genmove":
            habit()
        else:
            say(f"= {game.answer(words)}\n\n")


if __name__ == "__main__":
    main()
