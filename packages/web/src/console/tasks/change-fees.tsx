/** Changes the fees of a customer, on all markets or on one, in percent, with the current fees beside the new ones. */
import type { ListedSymbol, WholeAccount } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { Choice, Field } from "../../pages/form.tsx";
import { DeniedText, Facts } from "../../pages/pane.tsx";
import {
  consoleFees as words,
  consoleForms,
  consoleMarkets,
  consoleSubjects,
  consoleSteps,
} from "../../words/words.ts";
import { useFetched } from "../context.ts";
import { bpsOf, percentOf } from "./percent.ts";
import { type TaskProps, TaskWindow } from "./task-window.tsx";
import { cell } from "./typed-text.ts";

interface Rates {
  readonly makerBps: number;
  readonly takerBps: number;
}

/** The route that sets the rates of all markets that have none of their own. */
const OF_ACCOUNT = "PATCH /v1/accounts/{account}";
const RATES = [
  ["makerBps", words.maker, words.makerName],
  ["takerBps", words.taker, words.takerName],
] as const;

export function ChangeFees(props: TaskProps) {
  const { context, openForm } = props;
  const typedAccount = useSignal(openForm.given["account"] ?? "");
  const symbol = useSignal(openForm.given["symbol"] ?? "");
  const typed = useSignal<Partial<Record<keyof Rates, string>>>({});
  const account = typedAccount.value.trim();
  const path = account === "" ? null : `/v1/accounts/${encodeURIComponent(account)}`;
  const customer = useFetched<WholeAccount>(context, path);
  const symbols = useFetched<readonly ListedSymbol[]>(context, "/v1/symbols").value ?? [];
  const onMarket = useFetched<Rates>(
    context,
    customer.value === null || symbol.value === "" ? null : `${path}/fees/${encodeURIComponent(symbol.value)}`,
  );
  const now: Rates | null = symbol.value === "" ? customer.value : onMarket.value;
  const textOf = (name: keyof Rates): string => typed.value[name] ?? (now === null ? "" : percentOf(now[name]));
  const next = { makerBps: bpsOf(textOf("makerBps")), takerBps: bpsOf(textOf("takerBps")) };
  const check = (): string => {
    if (account === "") return words.noAccount;
    if (customer.value === null || now === null) return words.noSuchAccount;
    const bad = RATES.find(([name]) => next[name] === null);
    if (bad !== undefined) return consoleSteps.notPercent(bad[1]);
    return next.makerBps === now.makerBps && next.takerBps === now.takerBps ? words.same : "";
  };
  return (
    <TaskWindow
      {...props}
      title={words.title}
      check={check}
      request={() => ({
        ...(symbol.value === "" && { key: OF_ACCOUNT }),
        path: { account: String(customer.value?.accountId), symbol: symbol.value },
        body: next,
      })}
    >
      {openForm.given["account"] === undefined && (
        <Field id="fee-account" label={words.account} value={typedAccount} isFirst />
      )}
      {customer.denied !== null && <DeniedText denied={customer.denied} />}
      {customer.value !== null && <Who account={customer.value} />}
      <Choice
        id="fee-market"
        label={words.markets}
        value={symbol.value}
        options={[
          ["", words.allMarkets],
          ...symbols.map((one): [string, string] => [one.symbol, words.onlyMarket(one.symbol)]),
        ]}
        onChoose={(value) => {
          symbol.value = value;
          typed.value = {};
        }}
      />
      {now !== null && (
        <>
          <div class="pairs">
            {RATES.map(([name, label]) => (
              <Field
                key={name}
                id={`fee-${name}`}
                label={label}
                value={cell(textOf(name), (text) => (typed.value = { ...typed.value, [name]: text }))}
                inputMode="decimal"
              />
            ))}
          </div>
          <Changes now={now} next={next} />
          <p class="muted">
            {customer.value !== null && words.affects(customer.value.email)}{" "}
            {symbol.value === "" ? words.except : words.onlyHere(symbol.value)}
          </p>
        </>
      )}
      {account !== "" && customer.value === null && customer.denied === null && (
        <p class="muted">{consoleForms.loading}</p>
      )}
    </TaskWindow>
  );
}

function Who({ account: { email, name, accountId } }: { account: WholeAccount }) {
  return <Facts rows={{ [words.customer]: consoleSubjects.account(email, name, String(accountId)) }} />;
}

function Changes({ now, next }: { now: Rates; next: Readonly<Record<keyof Rates, number | null>> }) {
  return (
    <table class="table differences" aria-label={consoleForms.changes}>
      <thead>
        <tr>
          <th scope="col">{words.fee}</th>
          <th scope="col">{words.current}</th>
          <th scope="col">{words.changed}</th>
        </tr>
      </thead>
      <tbody>
        {RATES.map(([name, , label]) => (
          <tr key={name}>
            <td>{label}</td>
            <td class={next[name] === now[name] ? "" : "before"}>{consoleMarkets.percent(now[name])}</td>
            <td class={next[name] === now[name] ? "" : "after"}>
              {next[name] === null ? consoleForms.none : consoleMarkets.percent(next[name])}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
