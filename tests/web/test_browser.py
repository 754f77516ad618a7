"""The pages in a real browser: a whole game, a reload, a restart, two widths, and who sees no colours."""

import contextlib
import subprocess
from pathlib import Path

import pytest

from manyminds.games.go import sgf

pytestmark = [pytest.mark.chromium, pytest.mark.slow, pytest.mark.timeout(300)]

OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 860}
BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser")
PATIENCE = 60_000  # ms
MOVED = "() => document.querySelector('#agree') || document.querySelector('#pass[disabled]')"
AXE = Path(__file__).parents[2] / ".cache" / "axe"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    where = next(path for path in BROWSERS if Path(path).exists())
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=where, args=OPTIONS)
        yield running
        running.close()


@pytest.fixture
def opened(browser):
    """Opens pages, each in a browser of its own; what they complain about fails the test.

    leaves: their server goes away meanwhile, and may be missed by a page that asks it for a file just then.
    """
    complaints, contexts = [], []

    def start(url, size=DESK, leaves=False, **more):
        contexts.append(browser.new_context(viewport=size, **more))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: _check_address(request, url, complaints))
        page.on("console", lambda said: _check_console(said, complaints, leaves))
        page.goto(url)
        return page

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


def _check_address(request, url, complaints):
    here = url.split("/")[2]
    if request.url.split("/")[2] != here:
        complaints.append(f"asked for {request.url}")


def _check_console(said, complaints, leaves):
    # What finds the server gone is reported by the browser itself.
    gone = "WebSocket" in said.text or (leaves and "ERR_CONNECTION_REFUSED" in said.text)
    if said.type == "error" and not gone:
        complaints.append(said.text)


def make_in_browser(page, size, programs):
    """Set a table by the form; `programs`: by seat, where no person sits."""
    page.wait_for_selector(".chair")
    page.select_option("#size", str(size))
    for seat in range(3):
        chair = page.locator(".chair").nth(seat)
        chair.locator("select").first.select_option(programs.get(seat, "person" if seat else "me"))
        if seat in programs:
            chair.locator(".budget input").fill("60")
    page.click("button.main")
    page.wait_for_selector(".points button")


def turn(page):
    return page.locator("#status").inner_text()


def take_turn(page, move):
    """Wait for one's turn, then play a free point, or pass; whether there was a turn.

    The server may just have been away: a page makes its move again by itself.
    """
    page.wait_for_function(
        "() => document.querySelector('#agree') || document.querySelector('#pass:not([disabled])')"
    )
    if page.locator("#agree").count():
        return False
    _play(page, move)
    page.wait_for_function(MOVED)
    return True


def _play(page, move):
    free = page.locator(".points button.free")
    if move is not None and free.count():
        free.nth(move % free.count()).click()
    else:
        page.click("#pass")


def test_three_colours_two_pages_and_a_program_to_the_end(own_server, opened):
    server = own_server()
    ada = opened(server.url, leaves=True)
    make_in_browser(ada, 5, {2: "uct"})
    link = ada.locator("#links input[aria-label='For White']").input_value()
    bo = opened(link, PHONE, leaves=True)
    watcher = opened(ada.locator("#links input[aria-label='To watch']").input_value(), leaves=True)
    for number in range(3):
        assert take_turn(ada, 5 + number)
        assert take_turn(bo, 7 + number)
    ada.reload()
    server.restart()
    for number in range(60):
        more = None if number > 1 else number
        if not (take_turn(ada, more) and take_turn(bo, more)):
            break
    bo.wait_for_selector("#agree")
    stones = [
        point for point in bo.locator(".points button").all() if " red" in _label(point).lower()
    ]
    stones[0].click()
    ada.wait_for_function("() => document.querySelector('[aria-label*=\"marked dead\"], .cross')")
    for page in (ada, bo):
        page.click("#agree")
    watcher.wait_for_function("() => /win/.test(document.getElementById('status')?.textContent)")
    assert turn(watcher) == turn(ada) == turn(bo)
    with watcher.expect_download() as download:
        watcher.click("text=Save as SGF")
    record = sgf.read(Path(download.value.path()).read_bytes())
    assert (record.colours, len(record.points)) == (3, 3)
    _replay(watcher, record)


def _label(button):
    return button.get_attribute("aria-label")


def _replay(page, record):
    """The first position has no stones, and the slider goes where it is told."""
    page.click("#first")
    page.wait_for_function("() => document.querySelectorAll('.goban .stone').length === 0")
    for _ in range(2):
        page.click("#forward")
    page.wait_for_function("() => document.querySelectorAll('.goban .stone').length === 2")
    assert page.locator("#at").inner_text() == f"2 / {len(record.moves)}"


@pytest.fixture(scope="module")
def played(server):
    """A table with some moves, a program's thoughts and names that would be markup; its address."""
    name = "<img src=x onerror=alert(1)>"
    table, keys = server.make(
        [{"name": name}, {"player": "uct@100"}, {"player": "rave@100"}], width=9, height=9
    )
    page = server.page(table, keys["0"])
    for move in ("C3", "E5", "G7"):
        page.wait_for(lambda page: page.knows["turn"]["seat"] == 0)
        page.play(move)
    page.wait_for(lambda page: page.knows["turn"]["seat"] == 0)
    page.close()
    return f"{server.url}/table/{table}#{keys['0']}", name


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_pages_fit_their_width_and_are_accessible(server, played, opened, size, scheme):
    table, name = played
    for url in (server.url, table):
        page = opened(url, size, color_scheme=scheme)
        page.wait_for_selector(".chair, #see-owners")
        if url == table:
            page.check("#see-owners")
            page.check("#see-candidates")
            assert name in page.locator("#seats").inner_text()
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"]
        assert _unnamed(page) == []
        assert _faults(page) == []


def _right_of(page, element, text):
    """Where an element ends that has this text."""
    script = "([e, text]) => { e.textContent = text; return e.getBoundingClientRect().right; }"
    return page.evaluate(script, [page.locator(element).element_handle(), text])


def _unnamed(page):
    """Controls that a screen reader could not name."""
    return page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, a[href]")]
        .filter((e) => e.checkVisibility() && !(e.getAttribute("aria-label") || e.textContent.trim()
            || e.labels?.length)).map((e) => e.outerHTML)"""
    )


def _faults(page):
    """What axe-core finds, where npm can get it."""
    script = _axe()
    if script is None:
        return []
    page.evaluate(script)
    passed, found = page.evaluate(
        "async () => { const r = await axe.run(); return [r.passes.length, r.violations]; }"
    )
    assert passed > 20  # rules that had something to look at
    return [(one["id"], [node["html"][:150] for node in one["nodes"][:3]]) for one in found]


def _axe():
    file = AXE / "package" / "axe.min.js"
    if not file.exists():
        AXE.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            fetch = ["npm", "pack", "axe-core@4", "--silent"]
            subprocess.run(fetch, cwd=AXE, timeout=60, check=True, capture_output=True)
            packed = next(AXE.glob("axe-core-*.tgz"))
            subprocess.run(["tar", "xzf", packed.name], cwd=AXE, timeout=60, check=True)
    return file.read_text(encoding="utf-8") if file.exists() else None


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_a_hunt_is_watched_its_channel_set_and_its_ticks_looked_at_again(
    server, opened, size, scheme
):
    page = opened(f"{server.url}/ghosts", size, color_scheme=scheme)
    page.wait_for_selector("#mates select")
    assert _faults(page) == []
    for holder in ("#mates", "#pacman"):
        page.fill(f"{holder} .budget input", "10")
    page.click("button.main")
    page.wait_for_selector("#maze svg")
    page.select_option("#pace", "100")
    page.wait_for_function("() => document.querySelectorAll('.plan').length > 2")
    page.wait_for_function("() => document.querySelectorAll('.lost-mark').length > 2")
    watcher = opened(page.url.split("#")[0], size)
    page.locator("#loss").fill("95")
    watcher.wait_for_function("() => document.getElementById('loss')?.value === '95'")
    assert watcher.locator("#loss").is_disabled()
    page.click("#hold")
    page.wait_for_function("() => document.getElementById('hold')?.textContent === 'Go on'")
    page.click("#back")
    page.click("#back")
    shown, newest = (int(text) for text in page.locator("#at").inner_text().split(" / "))
    assert shown <= newest - 2
    assert f"Tick {shown}," in page.locator("#caption").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert _right_of(page, "#at", "12345 / 12345") <= size["width"]
    assert (_unnamed(page), _faults(page)) == ([], [])


def test_a_game_is_played_by_keys_alone(server, opened):
    table, keys = server.make([{}, {}])
    page = opened(f"{server.url}/table/{table}#{keys['0']}")
    page.wait_for_selector(".points button.free")
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.point"):
            break
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "C3, empty"
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_function(
        "() => /White to play/.test(document.getElementById('status')?.textContent)"
    )
    assert (
        page.evaluate("document.activeElement.getAttribute('aria-label')") == "E4, Black, last move"
    )
    assert page.locator("#status").get_attribute("aria-live") == "polite"


def test_every_colour_has_a_mark_of_its_own_shape(server, opened):
    table, keys = server.make([{}] * 6)
    page = opened(f"{server.url}/table/{table}")
    page.wait_for_selector(".seat")
    shapes = page.evaluate("[...document.querySelectorAll('.seat .mark')].map((m) => m.innerHTML)")
    assert len(set(shapes)) == 6
    assert len(keys) == 6


def test_a_lost_connection_is_said_and_mended(own_server, opened):
    server = own_server()
    table, keys = server.make([{}, {}])
    page = opened(f"{server.url}/table/{table}#{keys['0']}", leaves=True)
    page.wait_for_selector(".points button.free")
    server.stop()
    page.wait_for_function("() => document.body.classList.contains('offline')")
    assert page.locator("#trouble").inner_text()
    server.start()
    page.wait_for_function("() => !document.body.classList.contains('offline')")
    page.locator("[data-point=C3]").click()
    page.wait_for_function(
        "() => /White to play/.test(document.getElementById('status')?.textContent)"
    )


def test_a_move_made_while_the_server_is_away_is_played_when_it_is_back(own_server, opened):
    server = own_server()
    table, keys = server.make([{}, {}])
    page = opened(f"{server.url}/table/{table}#{keys['0']}", leaves=True)
    page.wait_for_selector(".points button.free")
    server.stop()
    page.wait_for_function("() => document.body.classList.contains('offline')")
    page.locator("[data-point=C3]").click()
    page.wait_for_selector(".goban .stone.ghost")
    assert "Your move, C3, is sent when it is back" in page.locator("#trouble").inner_text()
    page.click("#resign")
    page.click("#sure-yes")
    assert "Not sent" in page.locator("#trouble").inner_text()
    server.start()
    page.wait_for_function(
        "() => /White to play/.test(document.getElementById('status')?.textContent)"
    )
    assert _label(page.locator("[data-point=C3]")) == "C3, Black, last move"
    assert not page.locator("#trouble").is_visible()


def test_a_move_that_came_too_late_is_not_made_elsewhere(own_server, opened):
    """Of two pages on one seat, one has moved when the other comes back with its own move."""
    server = own_server()
    table, keys = server.make([{}, {}])
    link = f"{server.url}/table/{table}#{keys['0']}"
    page = opened(link, leaves=True)
    page.wait_for_selector(".points button.free")
    page.context.set_offline(True)
    server.stop()
    page.wait_for_function("() => document.body.classList.contains('offline')")
    page.locator("[data-point=C3]").click()
    server.start()
    others = [server.page(table, keys[seat]) for seat in "01"]
    for other, move in zip(others, ("B2", "D4"), strict=True):
        other.wait_for(lambda other: other.knows["turn"]["seat"] == other.knows["you"]["seat"])
        other.play(move)
    page.context.set_offline(False)
    page.wait_for_function(
        "() => /Your turn, Black/.test(document.getElementById('status')?.textContent)"
        " && document.querySelectorAll('.goban .stone').length === 2"
    )
    assert _label(page.locator("[data-point=C3]")) == "C3, empty"
    for other in others:
        other.close()
