"""``smemdesc web``."""

from __future__ import annotations

import click

from smemdesc.cli.support.common import Problems


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), metavar="PORT", help="Default: 8017; 0: any free port.")
@click.option("--site", "folder", metavar="FOLDER", help="The built page, if it is not web/dist of a checkout.")
@click.option("--no-browser", is_flag=True, help="Serve it without opening a browser.")
@click.pass_context
def command(ctx: click.Context, port: int | None, folder: str | None, no_browser: bool) -> None:
    """Open the browser version: decodes, edits, draws and scans.

    \b
    Examples:
      smemdesc web
      smemdesc web --port 0 --no-browser
      smemdesc web --site ~/smemdesc/web/dist

    The page runs this package in the browser: pasted or dropped data is not
    sent anywhere. Build it in a source checkout with python
    web/build.py. Ctrl-C ends the server; the browser keeps the page.
    """
    from smemdesc.cli.support.serving import PORT, page_url, server, site

    problems = Problems("auto")
    with problems.reporting():
        served = server(site(folder), PORT if port is None else port)
    if problems.count:
        ctx.exit(problems.status())
    with served:
        click.echo(f"{page_url(served)}  (Ctrl-C ends it)")
        if not no_browser:
            import webbrowser

            webbrowser.open(page_url(served))
        served.serve_forever()
