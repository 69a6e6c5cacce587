"""Browser contexts that tests share one after another: most of what a page costs is a context of its own."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress

from playwright.sync_api import Browser, BrowserContext, Error


class Contexts:
    """Contexts of one browser by their options; ``take`` one, ``give_back`` it emptied, ``close`` all in the end.

    A context holds the fonts, scripts and processes that the next page needs too. What a page could leave behind for
    the next one — pages, storage, cookies, permissions — is taken away; whoever sets more of a context than that takes
    one for itself (``shared=False``).
    """

    def __init__(self, browser: Browser, homes: dict[str, str]) -> None:
        """``homes``: a file without scripts of each origin, by its scheme; it is left open to empty the storage."""
        self._browser, self._homes = browser, homes
        self._idle: dict[str, list[BrowserContext]] = defaultdict(list)
        self._known: dict[BrowserContext, str] = {}

    def take(self, *, shared: bool = True, clock: bool = False, **options) -> BrowserContext:
        """Return a context that nobody else has, with these options of Playwright's ``new_context``.

        ``clock``: whether its clock is to be set, which cannot be undone, only set again.
        """
        key = repr((clock, *sorted(options.items())))
        # Without scripts no storage can be emptied, and permissions that were given at first would be taken away.
        shared = shared and options.get("java_script_enabled", True) and "permissions" not in options
        if shared and self._idle[key]:
            return self._idle[key].pop()
        context = self._browser.new_context(**options)
        context.set_default_timeout(10_000)
        if shared:
            self._known[context] = key
            for home in self._homes.values():
                context.new_page().goto(home)
        return context

    def give_back(self, context: BrowserContext) -> None:
        """Empty a context for the next one who takes it, or close it where that cannot be done."""
        if context not in self._known:
            context.close()
            return
        with suppress(Error):
            homes = context.pages[: len(self._homes)]
            for page in context.pages[len(self._homes) :]:
                page.close()
            context.clear_cookies()
            context.clear_permissions()
            for page, home in zip(homes, self._homes.values(), strict=True):
                assert page.url == home
                page.evaluate("localStorage.clear()")
            self._idle[self._known[context]].append(context)
            return
        del self._known[context]
        context.close()

    def close(self) -> None:
        """Close every context that was taken here and given back."""
        for context in self._known:
            context.close()
