/** The order form, in the order of the keyboard: side, type, price, quantity, submit. */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Market } from "../market/port.ts";
import type { Problem } from "../rules/problem.ts";
import { form as words } from "../words/words.ts";
import { MarketBalances } from "./balances.tsx";
import type { Desk } from "./desk.ts";
import { useFirstPrice } from "./first-price.ts";
import { type Check, isFatal, placeOf, useCheck } from "./form-check.ts";
import { LimitLeg } from "./form-limit-leg.tsx";
import { FormOptions } from "./form-options.tsx";
import { isSure, sendTicket } from "./form-send.ts";
import { FormShare } from "./form-share.tsx";
import { FormSums } from "./form-sums.tsx";
import { NumberField } from "./number-field.tsx";
import { DemoAccounts } from "./sign-in.tsx";
import { Tabs } from "./tabs.tsx";
import { type FieldName, fieldsOf, type Kind, kindsOf, type Ticket } from "./ticket.ts";

// The form itself.

/** Those that have a tab of their own; the others stand in a list beside them. */
const TABS: readonly Kind[] = ["limit", "market", "oco"];

function Sides({ ticket, market }: { ticket: Ticket; market: Market }) {
  return (
    <div class="sides" role="group" aria-label={words.side}>
      {(["BUY", "SELL"] as const).map((side) => (
        <button
          key={side}
          type="button"
          class={side.toLowerCase()}
          aria-pressed={ticket.side.value === side}
          onClick={() => {
            ticket.side.value = side;
          }}
        >
          {side === "BUY" ? words.buy : words.sell} <span class="unseen">{market.baseAsset}</span>
        </button>
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
        <select
          aria-label={words.more}
          class={others.includes(kind) ? "chosen" : ""}
          value={others.includes(kind) ? kind : ""}
          onChange={(event) => {
            const chosen = others.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) set(chosen);
          }}
        >
          <option value="" disabled hidden>
            {words.more}
          </option>
          {others.map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </select>
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
              onClick={() => {
                ticket.byQuote.value = byQuote;
              }}
            >
              {words.by} {byQuote ? market.quoteAsset : market.baseAsset}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** What is missing is told only after one has tried to send. */
function shownProblems({ problems }: Check, ticket: Ticket, hasTried: boolean): readonly Problem[] {
  return problems.filter((problem) => {
    const place = placeOf(problem);
    if (problem.kind === "form" && place !== null) return hasTried || ticket.fields[place].value !== "";
    return true;
  });
}

/** Sends once at a time; returns what the button does. */
function useSubmit(
  desk: Desk,
  check: Check,
  hasTried: Signal<boolean>,
  answer: Signal<string>,
  isBusy: Signal<boolean>,
) {
  return async (form: HTMLFormElement): Promise<void> => {
    if (desk.account.session.peek() === null) {
      desk.overlay.value = "sign-in";
      return;
    }
    hasTried.value = true;
    const bad = check.problems.find(isFatal);
    if (bad !== undefined) {
      const place = placeOf(bad);
      if (place !== null) form.querySelector<HTMLInputElement>(`[name="${place}"]`)?.focus();
      return;
    }
    if (isBusy.peek() || !(await isSure(desk, check))) return;
    isBusy.value = true;
    answer.value = (await sendTicket(desk, check)) ?? "";
    isBusy.value = false;
    if (answer.value === "") hasTried.value = false;
  };
}

function submitText(desk: Desk, market: Market, isBusy: boolean): string {
  if (isBusy) return words.sending;
  if (desk.account.session.value === null) return words.signInToTrade;
  return words.submit(desk.ticket.side.value === "BUY" ? words.buy : words.sell, market.baseAsset);
}

function Form({ desk, check }: { desk: Desk; check: Check }) {
  const { ticket } = desk;
  const { market } = check;
  const element = useRef<HTMLFormElement>(null);
  const hasTried = useSignal(false);
  const isBusy = useSignal(false);
  const answer = useSignal("");
  const slid = useSignal<number | null>(null);
  const submit = useSubmit(desk, check, hasTried, answer, isBusy);
  const focused = ticket.focused.value;
  // Before the browser draws: what is typed right after the key that opens the form goes into the field.
  useLayoutEffect(() => {
    if (focused > 0) element.current?.querySelector<HTMLInputElement>(".number-field input")?.select();
  }, [focused]);
  const onTouch = (): void => {
    answer.value = "";
    slid.value = null;
  };
  // What is in the form is another share of what is available on the other side, and in another kind.
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
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget); // Never rejects: the answer is shown.
      }}
    >
      <Sides ticket={ticket} market={market} />
      <Kinds ticket={ticket} market={market} />
      <Fields ticket={ticket} market={market} problems={problems} onTouch={onTouch} />
      <FormShare desk={desk} check={check} slid={slid} />
      <FormOptions ticket={ticket} market={market} problems={problems} onTouch={onTouch} />
      <FormSums desk={desk} check={check} />
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
        {submitText(desk, market, isBusy.value)}
      </button>
    </form>
  );
}

export function OrderPanel({ desk }: { desk: Desk }) {
  useFirstPrice(desk);
  const check = useCheck(desk).value;
  return (
    <section class="pane grow" aria-label={words.title} data-place="trade" tabIndex={-1}>
      {check === null ? <div class="form" /> : <Form key={check.market.symbol} desk={desk} check={check} />}
      {desk.account.session.value === null && (
        <div class="welcome">
          <DemoAccounts desk={desk} />
        </div>
      )}
      <MarketBalances desk={desk} />
    </section>
  );
}
