/** A page of the node in a browser without a cache, and the browser's measurements of it. */
import type { Browser, CDPSession, Page } from "playwright-core";

/** The size of a usual laptop screen. */
const VIEWPORT = { width: 1440, height: 900 };

/** A script that records events in the page from its start on. It is not part of the page. */
const NOTE = `
  const noted = { shifts: 0, tasks: [], keys: new Map(), usableMs: null };
  let usable;
  noted.usable = new Promise((done) => { usable = done; });
  window.noted = noted;
  const observe = (type, take) => new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) take(entry);
  }).observe({ type, buffered: true, durationThreshold: 16 });
  observe("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) noted.shifts += value; });
  observe("longtask", ({ duration, startTime }) => noted.tasks.push({ duration, startTime }));
  observe("event", ({ interactionId, duration }) => {
    if (interactionId > 0) noted.keys.set(interactionId, Math.max(duration, noted.keys.get(interactionId) ?? 0));
  });
  // A market with both sides of its book, and a form that has its price: in this frame all of it is painted.
  const look = () => {
    if (document.readyState === "complete" && document.getElementById("terminal") === null) return;
    const filled = ["bids", "asks"].every((side) =>
      (document.querySelector(".book ." + side + " .level:not([hidden]) .price")?.textContent ?? "") !== "");
    const field = document.querySelector("form input[name=price]");
    if (!filled || field === null || field.disabled || field.value === "") return requestAnimationFrame(look);
    noted.usableMs = performance.now();
    usable();
  };
  requestAnimationFrame(look);
`;

/** Kinds of transferred content. `data` are the page's requests; WebSocket messages are not included. */
export const CONTENTS = ["document", "script", "style", "image", "data"] as const;
export type Content = (typeof CONTENTS)[number];

const CONTENT_OF: Readonly<Record<string, Content>> = {
  Document: "document",
  Script: "script",
  Stylesheet: "style",
  Image: "image",
};

export interface Noted {
  /** The sum of all layout shifts without user input. */
  readonly shifts: number;
  readonly longTasks: readonly number[];
  /** Milliseconds since the visit began; null: not yet. */
  readonly usableMs: number | null;
  readonly firstPaintMs: number;
  readonly firstContentfulPaintMs: number;
}

export class WatchedPage {
  readonly page: Page;
  /** Bytes as transferred, including response headers. */
  readonly bytes: Record<Content, number> = { document: 0, script: 0, style: 0, image: 0, data: 0 };
  readonly session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.session = session;
    const contents = new Map<string, Content>();
    session.on("Network.responseReceived", ({ requestId, type }) =>
      contents.set(requestId, CONTENT_OF[type] ?? "data"),
    );
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      this.bytes[contents.get(requestId) ?? "data"] += encodedDataLength;
    });
  }

  static async open(browser: Browser, address: string): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: VIEWPORT, colorScheme: "dark" });
    await context.addInitScript(NOTE);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const watched = new WatchedPage(page, session);
    await session.send("Network.enable");
    await page.goto(address);
    return watched;
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  /** Resolves when the terminal is ready for trading. */
  async untilUsable(): Promise<void> {
    await this.page.evaluate("window.noted.usable");
  }

  /** Resolves when there was no request for half a second. */
  async untilQuiet(): Promise<void> {
    await this.page.waitForLoadState("networkidle");
  }

  /** Long tasks that began before `sinceMs` are left out. */
  noted(sinceMs = 0): Promise<Noted> {
    return this.page.evaluate<Noted>(`(() => {
      const paint = (name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
      const { shifts, tasks, usableMs } = window.noted;
      const longTasks = tasks.filter((task) => task.startTime >= ${sinceMs}).map((task) => task.duration);
      const firstPaintMs = paint("first-paint");
      return { shifts, longTasks, usableMs, firstPaintMs, firstContentfulPaintMs: paint("first-contentful-paint") };
    })()`);
  }

  /** The time of the page's own clock. */
  nowMs(): Promise<number> {
    return this.page.evaluate<number>("performance.now()");
  }

  /** Book updates per second on the page, counted over two seconds. */
  drawsASecond(): Promise<number> {
    return this.page.evaluate<number>(`new Promise((done) => {
      let drawn = 0;
      const seen = new MutationObserver(() => drawn++);
      seen.observe(document.querySelector(".book"), { subtree: true, characterData: true });
      setTimeout(() => { seen.disconnect(); done(drawn / 2); }, 2000);
    })`);
  }

  /**
   * The time from each key press to the next paint in milliseconds. Browsers do not report less than 16, which counts
   * as 0.
   */
  async keyDelays(keys: string, everyMs: number): Promise<number[]> {
    await this.page.evaluate("window.noted.keys.clear()");
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.page.waitForTimeout(everyMs);
    }
    const told = await this.page.evaluate<number[]>("[...window.noted.keys.values()]");
    return [...told, ...Array.from({ length: Math.max(0, keys.length - told.length) }, () => 0)];
  }

  /** Measured after a forced garbage collection. */
  async memory(): Promise<{ readonly heapBytes: number; readonly nodes: number; readonly listeners: number }> {
    await this.session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await this.session.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await this.session.send("Memory.getDOMCounters");
    return { heapBytes: usedSize, nodes, listeners: jsEventListeners };
  }
}
