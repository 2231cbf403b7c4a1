/** The order form, in keyboard order: side, type, price, quantity, submit. */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { BLANK, grouped, plainDecimal } from "../exact/shown.ts";
import type { TerminalContext } from "./page.ts";
import { type FieldName, fieldsOf, type Kind, kindsOf, type Ticket } from "./ticket.ts";
import type { Account } from "../account/account.ts";
import type { Refusal } from "../account/port.ts";
import { form as words, numbers, tables } from "../words/words.ts";
import { type Check, isFatal, placeOf, useCheck } from "./form-check.ts";
import { compare, cutTo, type Decimal, formatDecimal, formatShort, multiply, raiseTo } from "../exact/decimal.ts";
import { legsOf } from "../rules/check-order.ts";
import { costsOf } from "./order-amounts.ts";
import { HUNDRED } from "./show.ts";
import type { Market } from "../market/port.ts";
import type { Problem } from "../rules/draft.ts";
import { MarketBalances } from "./tables.tsx";
import { FormOptions, FormShare, LimitLeg, NumberField } from "./order-fields.tsx";
import { DemoAccounts } from "./sign-in.tsx";
import { Button, onSubmitOf, Select, Tabs } from "./controls.tsx";

// The initial price of the order form.

const PRICE: FieldName = "price";

/** Whether the price field has the focus. It is not filled in then, because the user may be about to type. */
function isBeingTyped(): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement && activeElement.name === PRICE;
}

/** Fills in the last price after a change of market, once it is known. Text typed in the meantime is kept. */
function useFirstPrice({ feed, ticket }: TerminalContext): void {
  const shown = useRef("");
  const isPriced = useRef(false);
  useSignalEffect(() => {
    const market = feed.market.value;
    if (market === null) return;
    if (shown.current !== market.symbol) {
      if (shown.current !== "") ticket.clear();
      shown.current = market.symbol;
      isPriced.current = false;
    }
    if (isPriced.current) return;
    const ticker = feed.tickers.value.get(market.symbol);
    if (ticker === undefined) return;
    isPriced.current = true;
    const price = ticket.fields[PRICE];
    if (price.peek() !== "" || isBeingTyped() || !/[1-9]/.test(ticker.lastPrice)) return;
    price.value = plainDecimal(ticker.lastPrice, market.priceDigits);
  });
}

// Confirms and sends orders.

/** Why the last order was rejected, from its row or, if there is none, from the last notice. */
function whyNot({ orders, notices }: Account, sinceMs: number): string {
  const failed = orders
    .peek()
    .filter((order) => order.state === "failed" || order.state === "unknown")
    .toSorted((one, other) => other.timeMs - one.timeMs)
    .at(0);
  const refusal: Refusal | null = failed?.refusal ?? null;
  if (refusal !== null) return words.refused(refusal.code, refusal.message);
  const notice = notices
    .peek()
    .filter(({ tone, timeMs }) => tone === "bad" && timeMs >= sinceMs)
    .at(-1);
  return notice?.text ?? words.notTaken;
}

/** Whether to send the order. Asks for confirmation if confirmations are switched on. */
async function isSure(terminal: TerminalContext, { market }: Check): Promise<boolean> {
  const { ticket, preferences, ask } = terminal;
  if (!preferences.confirms.peek()) return true;
  const side = ticket.side.peek() === "BUY" ? words.buy : words.sell;
  const kind = ticket.kind.peek();
  const facts = fieldsOf(ticket)
    .filter((name) => ticket.fields[name].peek() !== "")
    .map((name): [string, string] => {
      const unit = name === "quantity" ? market.baseAsset : market.quoteAsset;
      return [words.fields[name], `${ticket.fields[name].peek()} ${unit}`];
    });
  if (kind === "oco") facts.unshift([words.limitLeg, tables.types[ticket.limitType.peek()] ?? ""]);
  const title = words.confirmTitle(side, words.kinds[kind], market.symbol);
  return ask.confirm({ title, facts, yes: side, tone: ticket.side.peek() === "BUY" ? "buy" : "sell" });
}

/** Sends the order. Returns null if the node accepted it, otherwise the reason. */
async function sendTicket(terminal: TerminalContext, check: Check): Promise<string | null> {
  const { account, ticket } = terminal;
  const sinceMs = Date.now();
  const { draft, oco } = check;
  const isTaken = draft !== null ? await account.place(draft) : oco !== null && (await account.placeOco(oco));
  if (!isTaken) return whyNot(account, sinceMs);
  ticket.fields.quantity.value = "";
  ticket.fields.quoteQuantity.value = "";
  return null;
}

// The lines below the form's fields: total, fee and estimate.

/** The slippage from which a warning is shown: one percent. */
const SLIPPAGE_HIGH: Decimal = { units: 1n, digits: 2 };

const cut = (value: Decimal, digits: number): string => grouped(formatDecimal(cutTo(value, digits), digits));

function FormSums({ terminal, check }: { terminal: TerminalContext; check: Check }) {
  const { market, book, oco } = check;
  const draft = check.draft ?? (oco === null ? null : legsOf(oco)[1]);
  if (draft === null) return null;
  const { total, fee, estimate } = costsOf(draft, market, book, terminal.account.commission.value);
  const shownDigits = Math.max(2, Math.min(market.quoteDigits, market.priceDigits));
  const lines: [string, string][] = [
    [words.total, total === null ? BLANK : `${cut(raiseTo(total, shownDigits), shownDigits)} ${market.quoteAsset}`],
  ];
  if (fee !== null) lines.push([words.fee(words[fee.role]), `${grouped(formatShort(fee.amount))} ${fee.asset}`]);
  if (estimate !== null) {
    const slippage = cut(raiseTo(multiply(estimate.slippage, HUNDRED), 2), 2);
    lines.push([words.average, cut(estimate.average, market.priceDigits)]);
    lines.push([words.worst, cut(estimate.worst, market.priceDigits)], [words.slippage, numbers.percent(slippage)]);
  }
  return (
    <>
      <dl class="sums">
        {lines.map(([name, value]) => (
          <div key={name} class="sum">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {estimate !== null && compare(estimate.slippage, SLIPPAGE_HIGH) >= 0 && (
        <p class="problem hint">{words.slippageHigh(numbers.percent(cut(multiply(estimate.slippage, HUNDRED), 1)))}</p>
      )}
      {estimate !== null && !estimate.isWhole && <p class="problem hint">{words.bookTooThin}</p>}
    </>
  );
}

// The order form.

/** Order types that have a tab. The others are in a list beside the tabs. */
const TABS: readonly Kind[] = ["limit", "market", "oco"];

function Sides({ ticket, market }: { ticket: Ticket; market: Market }) {
  return (
    <div class="sides" role="group" aria-label={words.side}>
      {(["BUY", "SELL"] as const).map((side) => (
        <Button
          key={side}
          class={side.toLowerCase()}
          aria-pressed={ticket.side.value === side}
          onClick={() => (ticket.side.value = side)}
        >
          {side === "BUY" ? words.buy : words.sell} <span class="unseen">{market.baseAsset}</span>
        </Button>
      ))}
    </div>
  );
}

function Kinds({ ticket, market }: { ticket: Ticket; market: Market }) {
  const kinds = kindsOf(market);
  const kind = ticket.kind.value;
  const others = kinds.filter((one) => !TABS.includes(one));
  const set = (chosen: Kind): void => {
    ticket.kind.value = chosen;
  };
  return (
    <Tabs
      label={words.kind}
      class="kinds"
      chosen={kind}
      tabs={kinds.filter((one) => TABS.includes(one)).map((name) => ({ name, label: words.kinds[name] }))}
      onChoose={set}
    >
      {others.length > 0 && (
        <Select
          aria-label={words.more}
          class={others.includes(kind) ? "chosen" : ""}
          value={others.includes(kind) ? kind : ""}
          options={others.map((one) => [one, words.kinds[one]])}
          onChoose={(value) => {
            const chosen = others.find((one) => one === value);
            if (chosen !== undefined) set(chosen);
          }}
        >
          <option value="" disabled hidden>
            {words.more}
          </option>
        </Select>
      )}
    </Tabs>
  );
}

function labelOf(name: FieldName, kind: Kind): string {
  if (name === "stopPrice" && kind.startsWith("take-profit")) return words.fields.limitStopPrice;
  return name === "price" && kind === "oco" ? words.limitPrice : words.fields[name];
}

interface FieldsProps {
  readonly ticket: Ticket;
  readonly market: Market;
  readonly problems: readonly Problem[];
  readonly onTouch: () => void;
}

function Fields({ ticket, market, problems, onTouch }: FieldsProps) {
  const kind = ticket.kind.value;
  return (
    <>
      {kind === "oco" && <LimitLeg ticket={ticket} market={market} />}
      {fieldsOf(ticket).map((name) => {
        const isQuantity = name === "quantity";
        const isAmount = name === "quoteQuantity";
        return (
          <NumberField
            key={name}
            name={name}
            label={labelOf(name, kind)}
            unit={isQuantity ? market.baseAsset : market.quoteAsset}
            value={ticket.fields[name]}
            step={isQuantity ? market.stepSize : isAmount ? "1" : market.tickSize}
            digits={isQuantity ? market.quantityDigits : isAmount ? 0 : market.priceDigits}
            placeholder={name === "stopLimitPrice" ? words.orMarket : ""}
            problems={problems.filter((problem) => placeOf(problem) === name)}
            onTouch={onTouch}
          />
        );
      })}
      {kind === "market" && (
        <div class="choices" role="group" aria-label={words.by}>
          {[false, true].map((byQuote) => (
            <button
              key={String(byQuote)}
              type="button"
              aria-pressed={ticket.byQuote.value === byQuote}
              onClick={() => (ticket.byQuote.value = byQuote)}
            >
              {words.by} {byQuote ? market.quoteAsset : market.baseAsset}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** The problems to show. Missing fields are reported only after an attempt to send. */
function shownProblems({ problems }: Check, ticket: Ticket, hasTried: boolean): readonly Problem[] {
  return problems.filter((problem) => {
    const place = placeOf(problem);
    if (problem.kind === "form" && place !== null) return hasTried || ticket.fields[place].value !== "";
    return true;
  });
}

/** Returns the action of the submit button. Sends one order at a time. */
function useSubmit(
  terminal: TerminalContext,
  check: Check,
  hasTried: Signal<boolean>,
  answer: Signal<string>,
  isBusy: Signal<boolean>,
) {
  return async (form: HTMLFormElement): Promise<void> => {
    if (terminal.account.session.peek() === null) {
      terminal.overlay.value = "sign-in";
      return;
    }
    hasTried.value = true;
    const bad = check.problems.find(isFatal);
    if (bad !== undefined) {
      const place = placeOf(bad);
      if (place !== null) form.querySelector<HTMLInputElement>(`[name="${place}"]`)?.focus();
      return;
    }
    if (isBusy.peek() || !(await isSure(terminal, check))) return;
    isBusy.value = true;
    answer.value = (await sendTicket(terminal, check)) ?? "";
    isBusy.value = false;
    if (answer.value === "") hasTried.value = false;
  };
}

function submitText(terminal: TerminalContext, market: Market, isBusy: boolean): string {
  if (isBusy) return words.sending;
  if (terminal.account.session.value === null) return words.signInToTrade;
  return words.submit(terminal.ticket.side.value === "BUY" ? words.buy : words.sell, market.baseAsset);
}

function Form({ terminal, check }: { terminal: TerminalContext; check: Check }) {
  const { ticket } = terminal;
  const { market } = check;
  const element = useRef<HTMLFormElement>(null);
  const hasTried = useSignal(false);
  const isBusy = useSignal(false);
  const answer = useSignal("");
  const slid = useSignal<number | null>(null);
  const submit = useSubmit(terminal, check, hasTried, answer, isBusy);
  const focused = ticket.focused.value;
  // Runs before the browser paints, so that keys typed right after the opening key go to the field.
  useLayoutEffect(() => {
    if (focused > 0) element.current?.querySelector<HTMLInputElement>(".number-field input")?.select();
  }, [focused]);
  const onTouch = (): void => {
    answer.value = "";
    slid.value = null;
  };
  // When the side or order type changes, the entered amount is another share of the balance.
  useSignalEffect(() => {
    void [ticket.side.value, ticket.kind.value, ticket.limitType.value];
    onTouch();
  });
  const problems = shownProblems(check, ticket, hasTried.value);
  const general = problems.filter((problem) => placeOf(problem) === null);
  return (
    <form
      ref={element}
      class="form"
      aria-label={words.title}
      autocomplete="off"
      noValidate
      onSubmit={onSubmitOf((form) => void submit(form))} // The promise never rejects: the outcome is shown.
    >
      <Sides ticket={ticket} market={market} />
      <Kinds ticket={ticket} market={market} />
      <Fields ticket={ticket} market={market} problems={problems} onTouch={onTouch} />
      <FormShare terminal={terminal} check={check} slid={slid} />
      <FormOptions ticket={ticket} market={market} problems={problems} onTouch={onTouch} />
      <FormSums terminal={terminal} check={check} />
      {general.map(({ text }) => (
        <p key={text} class="problem">
          {text}
        </p>
      ))}
      {answer.value !== "" && (
        <p class="refusal" role="alert">
          {answer}
        </p>
      )}
      <button type="submit" class={`submit ${ticket.side.value.toLowerCase()}`} disabled={isBusy.value}>
        {submitText(terminal, market, isBusy.value)}
      </button>
    </form>
  );
}

export function OrderPanel({ terminal }: { terminal: TerminalContext }) {
  useFirstPrice(terminal);
  const check = useCheck(terminal).value;
  return (
    <section class="pane grow" aria-label={words.title} data-place="trade" tabIndex={-1}>
      {check === null ? <div class="form" /> : <Form key={check.market.symbol} terminal={terminal} check={check} />}
      {terminal.account.session.value === null && (
        <div class="welcome">
          <DemoAccounts terminal={terminal} />
        </div>
      )}
      <MarketBalances terminal={terminal} />
    </section>
  );
}
