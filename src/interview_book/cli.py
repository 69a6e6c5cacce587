"""The command ``interview-book``: thin, so that the Makefile, the tests and a person call the same functions."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from interview_book.book.errors import BookError, Faults


def _check(args: argparse.Namespace) -> None:
    from interview_book.book import check

    faults = check.faults(args.root)
    if faults:
        raise Faults(faults)
    print("no faults")


def _run(args: argparse.Namespace) -> None:
    from interview_book.book import run
    from interview_book.book.notebooks import chapters

    paths = args.notebooks or chapters(args.root)
    changed = run.execute(paths)
    for path in changed:
        print(f"changed {path}")
    print(f"{len(changed)} of {len(paths)} notebooks changed")


def _site(args: argparse.Namespace) -> None:
    from interview_book.book import site

    print(f"site: {site.build(args.root, url=args.url)}")


def _serve(args: argparse.Namespace) -> None:
    from interview_book.book import serve, site

    port = serve.port_of(args.port)
    serve.require_free(port)
    if args.build:
        print("building both editions ...", flush=True)
    folder = site.build(args.root, url=None) if args.build else args.root / "_build" / "site"
    serve.listen(folder, port)


def _lab(args: argparse.Namespace) -> None:
    from interview_book.book import lab

    lab.open_lab(args.root, args.language)


def _deck(args: argparse.Namespace) -> None:
    from interview_book.book import deck

    print(f"deck: {deck.write(args.root)}")


def _modules(args: argparse.Namespace) -> None:
    from interview_book.book import modules

    print(f"modules: {modules.write(args.root)}")


def _anki(args: argparse.Namespace) -> None:
    from interview_book.book import anki_files

    for path in anki_files.write(args.root, args.root / anki_files.FOLDER, args.url):
        print(f"anki: {path}")


def _npm(args: argparse.Namespace) -> None:
    from interview_book.book import node

    sys.exit(node.npm(args.arguments, cwd=args.root).returncode)


def parser() -> argparse.ArgumentParser:
    """Return the argument parser, one sub-command a row of the Makefile."""
    top = argparse.ArgumentParser(prog="interview-book", description="Check, run, build, serve and open the book.")
    top.add_argument("--root", type=Path, default=Path.cwd(), help="the book's folder (default: this one)")
    commands = top.add_subparsers(dest="command", required=True)

    def command(name, action, text):
        one = commands.add_parser(name, help=text, description=text)
        one.set_defaults(action=action)
        return one

    command("check", _check, "Report all faults of all chapters at once.")
    command("run", _run, "Re-execute notebooks in place; a second run changes no byte.").add_argument(
        "notebooks", nargs="*", type=Path, help="notebooks (default: every chapter)"
    )
    command("site", _site, "Build both editions and swap them in at the end.").add_argument(
        "--url", help="public address of the site, for canonical links and the sitemap"
    )
    serve = command("serve", _serve, "Serve the built site on this machine.")
    serve.add_argument("--port", default="8000")
    serve.add_argument("--build", action="store_true", help="bring the site up to date first")
    command("lab", _lab, "Write one-language notebooks and open JupyterLab.").add_argument("--language", default="ja")
    command("deck", _deck, "Bring up to date what the practice deck needs in a notebook.")
    command("modules", _modules, "Bring up to date the modules of widgets that a notebook needs.")
    command("anki", _anki, "Write the decks for Anki.").add_argument(
        "--url", help="public address of the site, for links to its pages"
    )
    npm = command("npm", _npm, "Run npm on the Node that the environment ships.")
    npm.add_argument("arguments", nargs=argparse.REMAINDER)
    return top


def main(arguments: list[str] | None = None) -> None:
    """Run one command; a fault the user can mend is one message and exit status 1, not a traceback."""
    args = parser().parse_args(arguments)
    args.root = args.root.resolve()
    try:
        args.action(args)
    except BookError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed in this environment: run `make setup` and try again", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        # A full disk, a folder one may not write: nothing a traceback would help with.
        what = error.filename or "this machine"
        print(f"{what}: {error.strerror or error}; mend that and try again", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
