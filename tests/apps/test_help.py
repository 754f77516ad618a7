"""Help of man-page quality: every command has an example, every option says what it does and its default."""

import click
import pytest

from manyminds.apps.main import cli


def commands(group=cli, path=()):
    """Every command with its words, those within groups too."""
    context = click.Context(group, info_name=" ".join(("manyminds", *path)))
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        yield " ".join((*path, name)), command


COMMANDS = dict(commands())


def help_of(name):
    command = COMMANDS[name]
    return command.get_help(click.Context(command, info_name=f"manyminds {name}"))


@pytest.mark.parametrize("name", COMMANDS)
def test_there_is_an_example_that_begins_with_the_command(name):
    text = " ".join(help_of(name).split())
    assert "Example" in text
    assert f"manyminds {name.split()[0]}" in text.split("Example", 1)[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_seed_and_quiet_are_taken_by_every_command(name):
    command = COMMANDS[name]
    if not isinstance(command, click.Group):
        words = [word for option in command.params for word in option.opts]
        assert {"--seed", "--quiet", "-q"} <= set(words)
        assert len(words) == len(set(words))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name):
    silent = [
        option.name
        for option in COMMANDS[name].params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_default_is_told(name):
    """A value that counts when nothing is typed stands in brackets, or in words of the help."""
    untold = []
    for option in COMMANDS[name].params:
        if not isinstance(option, click.Option) or option.is_flag or option.multiple:
            continue
        value = option.to_info_dict()["default"]
        told = option.show_default or "[" in (option.help or "")
        if value not in (None, "", ()) and not told:
            untold.append(f"{option.opts[0]} (default {value})")
    assert untold == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_eighty_columns(name):
    """But for examples, which are copied as they are."""
    text = help_of(name).split("Example", 1)[0]
    assert [line for line in text.splitlines() if len(line) > 80] == []
