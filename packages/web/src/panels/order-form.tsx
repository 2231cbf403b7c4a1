/** The order form, in keyboard order: side, type, price, quantity, submit. */
import { batch, type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatDecimal, formatShort, formatUnits } from "../exact/decimal.ts";
import { grouped, plainDecimal } from "../exact/shown.ts";
import type { TerminalContext } from "./page.ts";
import { type FieldName, fieldsOf, type Kind, kindsOf, mayPeg, type Ticket } from "./ticket.ts";
import { ACCOUNT, exitWords, form as words } from "../words/words.ts";
import { type Check, isFatal, placeOf, useCheck } from "./form-check.ts";
import { legsOf, needsFirstTrade } from "../rules/check-order.ts";
import { costsOf } from "./order-amounts.ts";
import { costFacts, listFacts, orderFacts } from "./order-summary.ts";
import { warningTexts } from "./order-warnings.ts";
import type { Refusal } from "../account/port.ts";
import type { Market } from "../market/port.ts";
import type { Problem } from "../rules/draft.ts";
import { levelsFor } from "../rules/estimate.ts";
import { MarketBalances } from "./tables.tsx";
import {
  Advanced,
  type FieldsProps,
  FormOptions,
  FormShare,
  LimitLeg,
  NumberField,
  PriceChoice,
  StopChoice,
  unitOf,
} from "./order-fields.tsx";
import { clearExits, otoFacts, outcomeFacts, PendingFields } from "./pending-fields.tsx";
import { DemoAccounts } from "./sign-in.tsx";
import { Button, onSubmitOf, Select, Tabs } from "./controls.tsx";

// The initial price of the order form.

const PRICE: FieldName = "price";

/** Whether the price field has the focus. It is not filled in then, because the user may be about to type. */
function isBeingTyped(): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement && activeElement.name === PRICE;
}

/**
 * Clears the form after a change of market, also while it is not shown, and fills in the last price once it is known.
 * Text typed in the meantime is kept.
 */
export function useFirstPrice({ feed, ticket }: TerminalContext): void {
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

/** Whether to send the order. Asks for confirmation if confirmations are switched on. */
async function isSure(terminal: TerminalContext, check: Check): Promise<boolean> {
  const { ticket, preferences, ask, account } = terminal;
  if (!preferences.confirms.peek()) return true;
  const { market, book, draft, oco, oto, lastPrice } = check;
  const rates = account.commission.peek();
  const isBuy = ticket.side.peek() === "BUY";
  const side = isBuy ? words.buy : words.sell;
  const kind = words.kinds[ticket.kind.peek()];
  const common = {
    title: words.confirmTitle(side, oto === null ? kind : exitWords.ofKind(kind), market.symbol),
    warnings: warningTexts(terminal, check),
    yes: words.submit(side, market.baseAsset),
    tone: isBuy ? "buy" : "sell",
  } as const;
  if (draft !== null) {
    const costs = costsOf(draft, market, book, rates, lastPrice);
    if (oto !== null) return ask.confirm({ ...common, facts: [], groups: otoFacts(oto, market, costs, book) });
    return ask.confirm({ ...common, facts: orderFacts(draft, market, costs) });
  }
  if (oco === null) return false;
  const groups = listFacts(oco, market, (leg) => costsOf(leg, market, book, rates, lastPrice));
  return ask.confirm({ ...common, facts: [], groups });
}

async function place(account: TerminalContext["account"], { draft, oco, oto }: Check): Promise<Refusal | null> {
  if (oto !== null) return account.placeOto(oto);
  if (oco !== null) return account.placeOco(oco);
  return draft === null ? null : account.place(draft);
}

/**
 * Sends the order. Returns "" if the node accepted it, otherwise the reason, which the form shows. If the form is not
 * shown by then, or shows another market, a notice has the reason.
 */
async function sendTicket({ account, ticket }: TerminalContext, check: Check, isShown: () => boolean): Promise<string> {
  const { market } = check;
  const refusal = await place(account, check);
  if (refusal === null) {
    if (isShown()) {
      // What would split the next order differently is chosen again.
      for (const name of ["quantity", "quoteQuantity", "icebergQty"] as const) ticket.fields[name].value = "";
      ticket.isIceberg.value = false;
      clearExits(ticket);
    }
    return "";
  }
  if (isShown()) return words.refused(refusal.code, refusal.message);
  account.notify("bad", ACCOUNT.refused(market.symbol, refusal.message, refusal.code));
  return "";
}

// A market without trades accepts no market orders, so the form offers the limit order that executes the same.

interface LimitInstead {
  /** The worst price at which the market order would execute; "" if the book is empty. */
  readonly price: string;
  /** The quantity that it would execute; "" if none was entered. */
  readonly quantity: string;
}

/** Null if the market order is accepted. */
function limitInstead({ account, ticket }: TerminalContext, check: Check): LimitInstead | null {
  const { draft, market, book, problems } = check;
  if (draft === null || !problems.some(needsFirstTrade)) return null;
  const { estimate } = costsOf(draft, market, book, account.commission.value);
  const [best] = book === null ? [] : levelsFor(ticket.side.value, book);
  if (estimate === null)
    return { price: best === undefined ? "" : formatUnits(best.price, market.priceDigits), quantity: "" };
  return { price: formatDecimal(estimate.worst, market.priceDigits), quantity: formatShort(estimate.quantity) };
}

function takeLimit(ticket: Ticket, { price, quantity }: LimitInstead): void {
  batch(() => {
    ticket.kind.value = "limit";
    ticket.fields.price.value = price;
    if (quantity !== "") ticket.fields.quantity.value = quantity;
  });
}

// The lines below the form's fields: total, fee, estimate and warnings.

function FormSums({ terminal, check }: { terminal: TerminalContext; check: Check }) {
  const { market, book, oco, oto, lastPrice } = check;
  const draft = check.draft ?? (oco === null ? null : legsOf(oco)[1]);
  if (draft === null) return null;
  const costs = costsOf(draft, market, book, terminal.account.commission.value, lastPrice);
  const exits = (oto === null ? [] : outcomeFacts(oto, market, book)).map(
    ([field, text]) => [exitWords.outcomes[field], text] as const,
  );
  return (
    <>
      <dl class="sums">
        {[...costFacts(costs, draft, market), ...exits].map(([name, value]) => (
          <div key={name} class="sum">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {warningTexts(terminal, check).map((text) => (
        <p key={text} class="problem hint">
          {text}
        </p>
      ))}
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
  if (kind === "trailing-stop" && name === "stopPrice") return words.activationPrice;
  if (kind === "trailing-stop" && name === "stopLimitPrice") return words.limitPrice;
  return name === "price" && kind === "oco" ? words.limitPrice : words.fields[name];
}

const isPrice = (name: FieldName): boolean => name === "price" || name === "pegLevel";
const isStop = (name: FieldName): boolean => name === "stopPrice" || name === "trailingDelta";

/** The text in an empty field that may stay empty. */
function placeholderOf(name: FieldName, kind: Kind): string {
  if (name === "pegLevel") return "0";
  if (name === "stopLimitPrice") return words.orMarket;
  return kind === "trailing-stop" && name === "stopPrice" ? words.atOnce : "";
}

function Fields({ ticket, market, problems, onTouch }: FieldsProps) {
  const kind = ticket.kind.value;
  return (
    <>
      {kind === "oco" && <LimitLeg ticket={ticket} market={market} />}
      {fieldsOf(ticket).map((name) => (
        <NumberField
          key={isPrice(name) ? "price" : kind === "oco" && isStop(name) ? "stop" : name} // A choice keeps the focus.
          name={name}
          label={labelOf(name, kind)}
          {...unitOf(name, market)}
          value={ticket.fields[name]}
          {...(isPrice(name) &&
            mayPeg(kind) &&
            market.pegInstructionsAllowed && { choice: <PriceChoice ticket={ticket} /> })}
          {...(kind === "oco" &&
            isStop(name) &&
            market.allowTrailingStop && { choice: <StopChoice ticket={ticket} label={words.fields.stopPrice} /> })}
          placeholder={placeholderOf(name, kind)}
          problems={problems.filter((problem) => placeOf(problem) === name)}
          onTouch={onTouch}
        />
      ))}
      {kind === "market" && (
        <div class="choices" role="group" aria-label={words.by}>
          {[false, true].map((byQuote) => (
            <button
              key={String(byQuote)}
              type="button"
              aria-pressed={ticket.byQuote.value === byQuote}
              onClick={() => (ticket.byQuote.value = byQuote)}
            >
              <span class="unseen-narrow">{words.by} </span>
              {byQuote ? market.quoteAsset : market.baseAsset}
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
    answer.value = await sendTicket(terminal, check, () => form.isConnected);
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
  const instead = limitInstead(terminal, check);
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
      <PendingFields ticket={ticket} market={market} problems={problems} onTouch={onTouch} />
      <Advanced ticket={ticket} market={market} />
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
      {instead === null ? (
        <button type="submit" class={`submit ${ticket.side.value.toLowerCase()}`} disabled={isBusy.value}>
          {submitText(terminal, market, isBusy.value)}
        </button>
      ) : (
        <Button class="button primary" onClick={() => takeLimit(ticket, instead)}>
          {words.useLimit(grouped(instead.price))}
        </Button>
      )}
    </form>
  );
}

export function OrderPanel({ terminal }: { terminal: TerminalContext }) {
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
