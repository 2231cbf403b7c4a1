/**
 * The layout of the terminal: the position of each panel by page width, the separators between panes, and the notices.
 */
import { type ReadonlySignal, type Signal, signal, useSignal } from "@preact/signals";
import { form, pagesWords, terminalWords, tables } from "../words/words.ts";
import { type TerminalContext, type Place, PLACES, type PageWidth } from "./page.ts";
import { AskDialog, Button, Icon, Tabs } from "./controls.tsx";
import { FIRST_LAYOUT, type Layout, type Preferences } from "../preferences.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ChartPanel } from "../chart/chart-panel.tsx";
import { DepthChart } from "../chart/depth-chart.tsx";
import { Banner, DayStrip, Header } from "./header.tsx";
import { BookPanel } from "./book.tsx";
import { moveFaultsOf } from "./change-orders.ts";
import { LabStrip } from "./lab-strip.tsx";
import { LabWindow } from "./lab-window.tsx";
import { MarketPicker, UnlistedMarket } from "./market-picker.tsx";
import { OrderPanel, useFirstPrice } from "./order-form.tsx";
import { PrintsPanel } from "./prints.tsx";
import { KeyboardWindow, SettingsWindow } from "./settings.tsx";
import { SignInWindow } from "./sign-in.tsx";
import { TablesPanel } from "./tables.tsx";

// Notices of actions and their outcome, shown for some seconds and announced to screen readers.

/** How long notices are shown. */
const SHOWN_MS = { good: 4_000, plain: 4_000, bad: 12_000 };
const SHOWN_MAX = 4;

/** The notices. They are in the chart's pane, or on phones over the top bar, and so cover neither book, form nor tabs. */
function Notices({ terminal }: { terminal: TerminalContext }) {
  const dismissed = useSignal<ReadonlySet<number>>(new Set());
  const nowMs = terminal.nowMs.value;
  const shown = terminal.account.notices.value
    .filter(({ id, tone, timeMs }) => nowMs - timeMs < SHOWN_MS[tone] && !dismissed.value.has(id))
    .slice(0, SHOWN_MAX);
  return (
    <div class="notices" role="log" aria-live="polite" aria-label={pagesWords.notices}>
      <p class="unseen">{terminal.spoken}</p>
      {shown.map(({ id, tone, text }) => (
        <div key={id} class={`notice ${tone}`}>
          <p>
            {tone === "good" ? "✓ " : tone === "bad" ? "✕ " : ""}
            {text}
          </p>
          <Button
            class="quiet"
            aria-label={pagesWords.dismiss}
            onClick={() => (dismissed.value = new Set([...dismissed.value, id]))}
          >
            <Icon name="cross" />
          </Button>
        </div>
      ))}
    </div>
  );
}

// The separator between two panes. It is dragged or moved by arrow keys, and its position is stored.

/** Minimum and maximum size of a pane in pixels. */
const SIZE_MIN_PX = 140;
const SIZE_MAX_PX = 2000;
const KEY_STEP_PX = 16;

interface SeparatorProps {
  readonly preferences: Preferences;
  readonly of: keyof Layout;
  readonly label: string;
  /** The orientation of the separator. */
  readonly runs: "vertical" | "horizontal";
}

function bounded(sizePx: number): number {
  return Math.round(Math.min(SIZE_MAX_PX, Math.max(SIZE_MIN_PX, sizePx)));
}

/** A separator. The resizable pane is after it, so dragging it to the left or up makes the pane larger. */
function Separator({ preferences, of, label, runs }: SeparatorProps) {
  const { layout } = preferences;
  const set = (sizePx: number): void => {
    layout.value = { ...layout.peek(), [of]: bounded(sizePx) };
  };

  function hold(event: PointerEvent): void {
    const line = event.currentTarget as HTMLElement;
    const place = (at: PointerEvent): number => (runs === "vertical" ? at.clientX : at.clientY);
    const fromPx = place(event);
    // The style sheet may have limited the chosen size.
    const box = line.nextElementSibling?.getBoundingClientRect();
    const sizePx = (runs === "vertical" ? box?.width : box?.height) ?? layout.peek()[of];
    line.setPointerCapture(event.pointerId);
    line.classList.add("held");
    const drag = (at: PointerEvent): void => set(sizePx + fromPx - place(at));
    const release = (): void => {
      line.classList.remove("held");
      line.removeEventListener("pointermove", drag);
      line.removeEventListener("lostpointercapture", release);
    };
    line.addEventListener("pointermove", drag);
    line.addEventListener("lostpointercapture", release);
  }

  function press(event: KeyboardEvent): void {
    const [more, less] = runs === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key === more) set(layout.peek()[of] + KEY_STEP_PX);
    else if (event.key === less) set(layout.peek()[of] - KEY_STEP_PX);
    else if (event.key === "Home") set(FIRST_LAYOUT[of]);
    else return;
    event.preventDefault();
  }

  return (
    <div
      class="separator"
      role="separator"
      tabIndex={0}
      aria-orientation={runs}
      aria-label={terminalWords.resize(label)}
      aria-valuenow={layout.value[of]}
      aria-valuemin={SIZE_MIN_PX}
      aria-valuemax={SIZE_MAX_PX}
      onPointerDown={hold}
      onKeyDown={press}
      onDblClick={() => set(FIRST_LAYOUT[of])}
    />
  );
}

// The terminal page.

type Drawing = "chart" | "depth";
/** On huge pages, depth has a pane of its own. */
const CANDLES = signal<Drawing>("chart");

interface ChartPaneProps {
  readonly terminal: TerminalContext;
  readonly shown: Signal<Drawing>;
  /** False on phones, where candles and depth have their own section tabs. */
  readonly hasTabs?: boolean;
}

/** The chart pane: candles or depth. Its tabs are in the row of the chart's toolbar, which leaves space for them. */
function ChartPane({ terminal, shown, hasTabs = true }: ChartPaneProps) {
  const { feed, account, preferences } = terminal;
  return (
    <section class="pane grow charts" aria-label={terminalWords.chartAndDepth} data-place="chart" tabIndex={-1}>
      {hasTabs && (
        <Tabs
          label={terminalWords.chartAndDepth}
          chosen={shown.value}
          tabs={[
            { name: "chart", label: terminalWords.chart },
            { name: "depth", label: terminalWords.depth },
          ]}
          onChoose={(name) => (shown.value = name)}
        />
      )}
      {shown.value === "chart" ? (
        <ChartPanel {...{ feed, account, preferences }} market={feed.market} moveFault={moveFaultsOf(terminal)} />
      ) : (
        <DepthChart book={feed.book} market={feed.market} />
      )}
      {hasTabs && <Notices terminal={terminal} />}
    </section>
  );
}

/** The depth beside the candles, on pages that have the space. */
function DepthPane({ terminal: { feed } }: { terminal: TerminalContext }) {
  return (
    <section class="pane depths" aria-label={terminalWords.depth}>
      <h2>{terminalWords.depth}</h2>
      <DepthChart book={feed.book} market={feed.market} />
    </section>
  );
}

function PrintsBelow({ terminal }: { terminal: TerminalContext }) {
  return (
    <>
      <Separator
        preferences={terminal.preferences}
        of="printsHeightPx"
        label={terminalWords.prints}
        runs="horizontal"
      />
      <PrintsPanel terminal={terminal} />
    </>
  );
}

function BookColumn({ terminal }: { terminal: TerminalContext }) {
  return (
    <div class="column" data-place="book" tabIndex={-1}>
      <BookPanel terminal={terminal} />
      <PrintsBelow terminal={terminal} />
    </div>
  );
}

/** The sections of the phone layout, where candles and depth are separate. */
type NarrowTab = Place | "depth";
const NARROW_TABS: readonly NarrowTab[] = ["chart", "depth", ...PLACES.filter((name) => name !== "chart")];

function NarrowPlace({ terminal, shown }: ChartPaneProps) {
  switch (terminal.place.value) {
    case "chart":
      return <ChartPane terminal={terminal} shown={shown} hasTabs={false} />;
    case "book":
      return <BookColumn terminal={terminal} />;
    case "trade":
      return (
        <div class="form-and-book">
          <OrderPanel terminal={terminal} />
          <BookPanel terminal={terminal} isSmall />
        </div>
      );
    case "orders":
      return <TablesPanel terminal={terminal} />;
  }
}

/** Buy and sell buttons at the bottom of a phone's screen. */
function TradeBar({ terminal }: { terminal: TerminalContext }) {
  const go = (side: "BUY" | "SELL"): void => {
    terminal.ticket.side.value = side;
    terminal.place.value = "trade";
  };
  return (
    <div class="foot-bar">
      <Button class="buy" onClick={() => go("BUY")}>
        {form.buy}
      </Button>
      <Button class="sell" onClick={() => go("SELL")}>
        {form.sell}
      </Button>
    </div>
  );
}

function NarrowLayout({ terminal, shown }: ChartPaneProps) {
  return (
    <main class="layout narrow">
      <DayStrip terminal={terminal} />
      <Tabs<NarrowTab>
        label={terminalWords.brand}
        class="places"
        chosen={terminal.place.value === "chart" ? shown.value : terminal.place.value}
        tabs={NARROW_TABS.map((name) => ({ name, label: { ...terminalWords, book: terminalWords.bookShort }[name] }))}
        onChoose={(name) => {
          if (name === "chart" || name === "depth") shown.value = name;
          terminal.place.value = name === "depth" ? "chart" : name;
        }}
      />
      <NarrowPlace terminal={terminal} shown={shown} />
      {terminal.place.value !== "trade" && <TradeBar terminal={terminal} />}
    </main>
  );
}

/** The book: beside recent trades, if these have no place below the form. */
function Books({ terminal, isPaired }: { terminal: TerminalContext; isPaired: boolean }) {
  return (
    <div class={isPaired ? "books paired" : "books"} data-place="book" tabIndex={-1}>
      {isPaired && <PrintsPanel terminal={terminal} />}
      <BookPanel terminal={terminal} />
    </div>
  );
}

/** The right column: the order form, and recent trades below it. */
function FormColumn({ terminal }: { terminal: TerminalContext }) {
  return (
    <div class="column form-column">
      <OrderPanel terminal={terminal} />
      <PrintsBelow terminal={terminal} />
    </div>
  );
}

/**
 * All panels at once; the style sheet places them. A tablet has the chart above book and form, a wide page beside them,
 * and a huge page also shows the depth beside the candles.
 */
function WideLayout({ terminal, pageWidth, shown }: ChartPaneProps & { pageWidth: Exclude<PageWidth, "narrow"> }) {
  const { preferences } = terminal;
  const place = useRef<HTMLElement>(null);
  const sizes = preferences.layout.value;
  // Runs before the first paint, so that panes do not change size visibly.
  useLayoutEffect(() => {
    const style = place.current?.style;
    style?.setProperty("--book-width", `${sizes.bookWidthPx}px`);
    style?.setProperty("--form-width", `${sizes.formWidthPx}px`);
    style?.setProperty("--tables-height", `${sizes.tablesHeightPx}px`);
    style?.setProperty("--prints-height", `${sizes.printsHeightPx}px`);
  }, [sizes]);
  const isPaired = pageWidth === "middle";
  return (
    <main class={`layout ${pageWidth}`} ref={place}>
      <ChartPane terminal={terminal} shown={pageWidth === "huge" ? CANDLES : shown} hasTabs={pageWidth !== "huge"} />
      {pageWidth === "huge" && <DepthPane terminal={terminal} />}
      {pageWidth !== "middle" && (
        <Separator preferences={preferences} of="bookWidthPx" label={terminalWords.book} runs="vertical" />
      )}
      <Books terminal={terminal} isPaired={isPaired} />
      <Separator preferences={preferences} of="tablesHeightPx" label={tables.title} runs="horizontal" />
      <TablesPanel terminal={terminal} />
      <Separator preferences={preferences} of="formWidthPx" label={form.title} runs="vertical" />
      {isPaired ? <OrderPanel terminal={terminal} /> : <FormColumn terminal={terminal} />}
    </main>
  );
}

function Overlays({ terminal }: { terminal: TerminalContext }) {
  switch (terminal.overlay.value) {
    case "markets":
      return <MarketPicker terminal={terminal} />;
    case "settings":
      return <SettingsWindow terminal={terminal} />;
    case "keyboard":
      return <KeyboardWindow terminal={terminal} />;
    case "sign-in":
      return <SignInWindow terminal={terminal} />;
    case "lab":
      return <LabWindow terminal={terminal} />;
    case "none":
      return null;
  }
}

/** The action of the skip link, the first element reached by the Tab key: moves the focus to the order form. */
function toForm({ place, ticket }: TerminalContext): void {
  place.value = "trade";
  ticket.focus();
}

export function Terminal({ terminal, pageWidth }: { terminal: TerminalContext; pageWidth: ReadonlySignal<PageWidth> }) {
  useFirstPrice(terminal);
  const shown = useSignal<Drawing>("chart");
  const unlisted = terminal.feed.unlisted.value;
  return (
    <div class="terminal">
      <Button class="skip" onClick={() => toForm(terminal)}>
        {terminalWords.skip}
      </Button>
      <Header terminal={terminal} />
      <LabStrip terminal={terminal} />
      <Banner terminal={terminal} />
      {unlisted !== null ? (
        <UnlistedMarket terminal={terminal} symbol={unlisted} />
      ) : pageWidth.value === "narrow" ? (
        <NarrowLayout terminal={terminal} shown={shown} />
      ) : (
        <WideLayout terminal={terminal} shown={shown} pageWidth={pageWidth.value} />
      )}
      <Overlays terminal={terminal} />
      <AskDialog ask={terminal.ask} />
      {pageWidth.value === "narrow" && <Notices terminal={terminal} />}
    </div>
  );
}
