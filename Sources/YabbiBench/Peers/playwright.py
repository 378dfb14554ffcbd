# Does the same as the stage, with Playwright (PyPI) and the same browser: a context and a page for each ad, a host page
# with the creative in a sandboxed frame of another site, and a screenshot. Responds to each request line with a line of
# JSON.
import asyncio
import json
import os
import sys
import time

from playwright.async_api import async_playwright

browser_path, creative_path = sys.argv[1:]
with open(creative_path) as file:
    creative = file.read()
wrapper = """<!doctype html><html><body style="margin:0"><iframe id="creative" sandbox="allow-scripts allow-forms"
style="border:0;width:390px;height:844px" src="https://peer-creative.invalid/"></iframe></body></html>"""


async def show(browser):
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()

    async def fulfill(route):
        is_host_page = route.request.url.startswith("https://peer-stage.invalid")
        body = wrapper if is_host_page else creative
        await route.fulfill(status=200, content_type="text/html; charset=utf-8", body=body)

    await page.route("**/*", fulfill)
    await page.goto("https://peer-stage.invalid/", wait_until="load")
    screenshot = await page.screenshot(type="jpeg", quality=82)
    assert screenshot.startswith(b"\xff\xd8")
    await context.close()


async def launch():
    driver = await async_playwright().start()
    browser = await driver.chromium.launch(executable_path=browser_path, headless=True, args=["--site-per-process"])
    return driver, browser


async def cold():
    start = time.perf_counter()
    driver, browser = await launch()
    await show(browser)
    milliseconds = (time.perf_counter() - start) * 1000
    await browser.close()
    await driver.stop()
    return milliseconds


async def throughput(browser, lanes, ads):
    remaining = ads

    async def lane():
        nonlocal remaining
        while remaining > 0:
            remaining -= 1
            await show(browser)

    start = time.perf_counter()
    await asyncio.gather(*(lane() for _ in range(lanes)))
    return ads / (time.perf_counter() - start)


# What a script for checking creatives does: log requests, wait until painted, tap, take a picture.
async def check(browser, path):
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()
    requests, popups = [], []
    page.on("request", lambda request: requests.append(request.url))
    context.on("page", lambda popup: popups.append(popup.url))
    await context.route("https://**", lambda route: route.abort())
    await page.goto("file://" + path, wait_until="load")
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    picture = await page.screenshot()
    await page.mouse.click(150, 125)
    await page.wait_for_timeout(200)
    assert picture.startswith(b"\x89PNG") and requests
    await context.close()


async def scan(browser, lanes, folder):
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]

    async def lane():
        while paths:
            await check(browser, paths.pop())

    start = time.perf_counter()
    await asyncio.gather(*(lane() for _ in range(lanes)))
    return time.perf_counter() - start


# The least that showing a creative in a frame of its own process costs: one warm page, nothing logged or isolated.
async def show_only(browser, lanes, folder):
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]

    async def lane(lane_number):
        context = await browser.new_context(viewport={"width": 390, "height": 844})
        page = await context.new_page()
        path, number = "", 0

        async def fulfill(route):
            frame = f'<!doctype html><iframe sandbox="allow-scripts" src="https://ad{lane_number}-{number}.invalid/"></iframe>'
            with open(path) as file:
                body = frame if route.request.url.startswith("https://peer-stage.invalid") else file.read()
            await route.fulfill(status=200, content_type="text/html; charset=utf-8", body=body)

        await page.route("**/*", fulfill)
        while paths:
            path, number = paths.pop(), number + 1
            await page.goto("https://peer-stage.invalid/", wait_until="load")
            assert await page.screenshot()
            await page.mouse.click(150, 75)
            await page.wait_for_timeout(200)
        await context.close()

    start = time.perf_counter()
    await asyncio.gather(*(lane(number) for number in range(lanes)))
    return time.perf_counter() - start


async def main():
    driver, browser = await launch()
    await show(browser)
    for line in sys.stdin:
        match line.split():
            case ["ready"]:
                answer = 0
            case ["cold"]:
                answer = await cold()
            case ["scan", lanes, folder]:
                answer = await scan(browser, int(lanes), folder)
            case ["show", lanes, folder]:
                answer = await show_only(browser, int(lanes), folder)
            case ["warm", lanes, ads]:
                answer = await throughput(browser, int(lanes), int(ads))
        print(json.dumps({"answer": answer}), flush=True)
    await browser.close()
    await driver.stop()


asyncio.run(main())
