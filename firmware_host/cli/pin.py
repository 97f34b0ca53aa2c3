"""`renju-board pin`: a new PIN for the arbiter or an operator; the old one and its sessions end."""

from pathlib import Path

import click

from firmware_host.cli.common import journal_option, one_sentence


@click.command("pin")
@journal_option
@click.option("--operator", is_flag=True, help="the operator's, who looks after the devices")
@click.option("--choose", is_flag=True, help="ask for the PIN; else a random one is made")
@one_sentence
def pin_command(path: Path | None, config_path: Path | None, operator: bool, choose: bool) -> None:
    """Set a new PIN of the table, kept as a hash beside its journal; a daemon that runs takes it at once.

    Who was signed in with the old one must sign in again.
    """
    from firmware_host.errors import ConfigError, NotationError
    from firmware_host.service.config import journal_path, load_config
    from firmware_host.service.pins import NAME, Pins, Role, chosen, new_pin, save, shown

    role: Role = "operator" if operator else "arbiter"
    config = load_config(config_path)
    if getattr(config.web, f"{role}_pin"):
        raise ConfigError(f"web.{role}_pin", "", "not set, for a PIN of the board's own", "****")
    file = (path or journal_path(config)).absolute().with_name(NAME)
    if operator and not config.web.arbiter_pin and "arbiter" not in Pins(path=file).known:
        raise NotationError("the arbiter has no PIN yet, and comes first: renju-board pin")
    if choose:
        typed = click.prompt(f"{role}'s PIN", hide_input=True, confirmation_prompt=True)
        save(file, role, chosen(typed))
        click.echo(f"the {role}'s PIN is kept, as a hash, in {file}")
        return
    pin = new_pin()
    save(file, role, pin)
    click.echo(f"{role}'s PIN    {shown(pin)}")
    click.echo(f"shown this once; its hash is in {file}")
