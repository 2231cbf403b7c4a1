/** The layout of the terminal: the place of each panel by page width, the separators between panes, and the notices. */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { form, say, tables } from "../words/words.ts";
import { type Desk, type Place, PLACES, type Room } from "./page.ts";
import { AskDialog, Icon, Tabs } from "./controls.tsx";
import { FIRST_LAYOUT, type Layout, type Preferences } from "../preferences.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ChartPanel } from "../chart/chart-panel.tsx";
import { DepthChart } from "../chart/depth-chart.tsx";
import { Banner, DayStrip, Header } from "./header.tsx";
import { BookPanel } from "./book.tsx";
import { LabStrip } from "./lab-strip.tsx";
import { LabWindow } from "./lab-window.tsx";
import { MarketPicker } from "./market-picker.tsx";
import { OrderPanel } from "./order-form.tsx";
import { PrintsPanel } from "./prints.tsx";
import { KeyboardWindow, SettingsWindow } from "./settings.tsx";
import { SignInWindow } from "./sign-in.tsx";
import { TablesPanel } from "./tables.tsx";

// Notices of actions and their outcome: shown for some seconds, and announced to screen readers.

/** Errors stay longer. All notices disappear, because an error is also in its row or in the form. */
const SHOWN_MS = { good: 4_000, plain: 4_000, bad: 12_000 };
const SHOWN_MAX = 4;

function Notices({ desk }: { desk: Desk }) {
  const dismissed = useSignal<ReadonlySet<number>>(new Set());
  const nowMs = desk.nowMs.value;
  const shown = desk.account.notices.value
    .filter(({ id, tone, timeMs }) => nowMs - timeMs < SHOWN_MS[tone] && !dismissed.value.has(id))
    .slice(0, SHOWN_MAX);
  return (
    <div class="notices" role="log" aria-live="polite" aria-label={say.notices}>
      <p class="unseen">{desk.spoken}</p>
      {shown.map(({ id, tone, text }) => (
        <div key={id} class={`notice ${tone}`}>
          <p>
            {tone === "good" ? "✓ " : tone === "bad" ? "✕ " : ""}
            {text}
          </p>
          <button
            type="button"
            class="quiet"
            aria-label={say.dismiss}
            onClick={() => {
              dismissed.value = new Set([...dismissed.value, id]);
            }}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}

// The separator between two panes: dragged, or moved by arrow keys. Its position is stored.

/** The limits of a pane's size in pixels. */
const SIZE_MIN_PX = 140;
const SIZE_MAX_PX = 900;
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

/** All resizable panes come after their separator: dragging it to the left or up makes them larger. */
function Separator({ preferences, of, label, runs }: SeparatorProps) {
  const { layout } = preferences;
  const set = (sizePx: number): void => {
    layout.value = { ...layout.peek(), [of]: bounded(sizePx) };
  };

  function hold(event: PointerEvent): void {
    const line = event.currentTarget as HTMLElement;
    const place = (at: PointerEvent): number => (runs === "vertical" ? at.clientX : at.clientY);
    const fromPx = place(event);
    const sizePx = layout.peek()[of];
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
      aria-label={say.resize(label)}
      aria-valuenow={layout.value[of]}
      aria-valuemin={SIZE_MIN_PX}
      aria-valuemax={SIZE_MAX_PX}
      onPointerDown={hold}
      onKeyDown={press}
      onDblClick={() => set(FIRST_LAYOUT[of])}
    />
  );
}

// The page.

type Drawing = "chart" | "depth";

interface ChartPaneProps {
  readonly desk: Desk;
  readonly shown: Signal<Drawing>;
  /** False on a phone, where the tabs of the sections select the drawing. */
  readonly hasTabs?: boolean;
}

/** Candles or depth. The tabs are in the row of the chart's toolbar, which leaves space for them. */
function ChartPane({ desk, shown, hasTabs = true }: ChartPaneProps) {
  const { feed, account, preferences } = desk;
  return (
    <section class="pane grow charts" aria-label={say.chartAndDepth} data-place="chart" tabIndex={-1}>
      {hasTabs && (
        <Tabs
          label={say.chartAndDepth}
          chosen={shown.value}
          tabs={[
            { name: "chart", label: say.chart },
            { name: "depth", label: say.depth },
          ]}
          onChoose={(name) => {
            shown.value = name;
          }}
        />
      )}
      {shown.value === "chart" ? (
        <ChartPanel feed={feed} account={account} market={feed.market} preferences={preferences} />
      ) : (
        <DepthChart book={feed.book} market={feed.market} />
      )}
    </section>
  );
}

function BookColumn({ desk }: { desk: Desk }) {
  return (
    <div class="column" data-place="book" tabIndex={-1}>
      <BookPanel desk={desk} />
      <Separator preferences={desk.preferences} of="printsHeightPx" label={say.prints} runs="horizontal" />
      <PrintsPanel desk={desk} />
    </div>
  );
}

function ChartColumn({ desk, shown }: ChartPaneProps) {
  return (
    <div class="column">
      <ChartPane desk={desk} shown={shown} />
      <Separator preferences={desk.preferences} of="tablesHeightPx" label={tables.title} runs="horizontal" />
      <TablesPanel desk={desk} />
    </div>
  );
}

/** With two columns, the right one shows one panel at a time. */
function MiddleSide({ desk }: { desk: Desk }) {
  const shown = desk.place.value === "book" ? "book" : "trade";
  return (
    <div class="column side-column">
      <Tabs<Place>
        label={form.title}
        chosen={shown}
        tabs={[
          { name: "trade", label: say.trade },
          { name: "book", label: say.book },
        ]}
        onChoose={(name) => {
          desk.place.value = name;
        }}
      />
      {shown === "trade" ? <OrderPanel desk={desk} /> : <BookColumn desk={desk} />}
    </div>
  );
}

/** On a phone, both drawings are sections. */
type NarrowTab = Place | "depth";
const NARROW_TABS: readonly NarrowTab[] = ["chart", "depth", ...PLACES.filter((name) => name !== "chart")];

function NarrowPlace({ desk, shown }: ChartPaneProps) {
  switch (desk.place.value) {
    case "chart":
      return <ChartPane desk={desk} shown={shown} hasTabs={false} />;
    case "book":
      return <BookColumn desk={desk} />;
    case "trade":
      return <OrderPanel desk={desk} />;
    case "orders":
      return <TablesPanel desk={desk} />;
  }
}

/** Always reachable at the bottom of a phone's screen. */
function TradeBar({ desk }: { desk: Desk }) {
  const go = (side: "BUY" | "SELL"): void => {
    desk.ticket.side.value = side;
    desk.place.value = "trade";
  };
  return (
    <div class="foot-bar">
      <button type="button" class="buy" onClick={() => go("BUY")}>
        {form.buy}
      </button>
      <button type="button" class="sell" onClick={() => go("SELL")}>
        {form.sell}
      </button>
    </div>
  );
}

function NarrowDesk({ desk, shown }: ChartPaneProps) {
  return (
    <main class="desk narrow">
      <DayStrip desk={desk} />
      <Tabs<NarrowTab>
        label={say.brand}
        class="places"
        chosen={desk.place.value === "chart" ? shown.value : desk.place.value}
        tabs={NARROW_TABS.map((name) => ({ name, label: { ...say, book: say.bookShort }[name] }))}
        onChoose={(name) => {
          if (name === "chart" || name === "depth") shown.value = name;
          desk.place.value = name === "depth" ? "chart" : name;
        }}
      />
      <NarrowPlace desk={desk} shown={shown} />
      {desk.place.value !== "trade" && <TradeBar desk={desk} />}
    </main>
  );
}

/** On a wide page, the trades are below the form, and the book has the full height. */
function FormColumn({ desk }: { desk: Desk }) {
  return (
    <div class="column form-column">
      <OrderPanel desk={desk} />
      <Separator preferences={desk.preferences} of="printsHeightPx" label={say.prints} runs="horizontal" />
      <PrintsPanel desk={desk} />
    </div>
  );
}

function RoomyDesk({ desk, room, shown }: ChartPaneProps & { readonly room: "wide" | "middle" }) {
  const place = useRef<HTMLElement>(null);
  const { layout } = desk.preferences;
  const sizes = layout.value;
  // Runs before the first paint, so that panes do not change their size.
  useLayoutEffect(() => {
    const style = place.current?.style;
    style?.setProperty("--book-width", `${sizes.bookWidthPx}px`);
    style?.setProperty("--form-width", `${sizes.formWidthPx}px`);
    style?.setProperty("--tables-height", `${sizes.tablesHeightPx}px`);
    style?.setProperty("--prints-height", `${sizes.printsHeightPx}px`);
  }, [sizes]);
  return (
    <main class={`desk ${room}`} ref={place}>
      <ChartColumn desk={desk} shown={shown} />
      {room === "wide" && (
        <>
          <Separator preferences={desk.preferences} of="bookWidthPx" label={say.book} runs="vertical" />
          <div class="column" data-place="book" tabIndex={-1}>
            <BookPanel desk={desk} />
          </div>
        </>
      )}
      <Separator preferences={desk.preferences} of="formWidthPx" label={form.title} runs="vertical" />
      {room === "wide" ? <FormColumn desk={desk} /> : <MiddleSide desk={desk} />}
    </main>
  );
}

function Overlays({ desk }: { desk: Desk }) {
  switch (desk.overlay.value) {
    case "markets":
      return <MarketPicker desk={desk} />;
    case "settings":
      return <SettingsWindow desk={desk} />;
    case "keyboard":
      return <KeyboardWindow desk={desk} />;
    case "sign-in":
      return <SignInWindow desk={desk} />;
    case "lab":
      return <LabWindow desk={desk} />;
    case "none":
      return null;
  }
}

/** The skip link: the first stop of the Tab key moves to the order form. */
function toForm({ place, ticket }: Desk): void {
  place.value = "trade";
  ticket.focus();
}

export function Terminal({ desk, room }: { desk: Desk; room: ReadonlySignal<Room> }) {
  const shown = useSignal<Drawing>("chart");
  return (
    <div class="terminal">
      <button type="button" class="skip" onClick={() => toForm(desk)}>
        {say.skip}
      </button>
      <Header desk={desk} />
      <LabStrip desk={desk} />
      <Banner desk={desk} />
      {room.value === "narrow" ? (
        <NarrowDesk desk={desk} shown={shown} />
      ) : (
        <RoomyDesk desk={desk} shown={shown} room={room.value} />
      )}
      <Overlays desk={desk} />
      <AskDialog ask={desk.ask} />
      <Notices desk={desk} />
    </div>
  );
}
