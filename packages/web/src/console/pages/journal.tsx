/** The journal, entry by entry. Its hash chain is verified while it is read. */
import { Button, onSubmitOf } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import type { JournalEntries, JournalEntry, JournalHead } from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { grouped } from "../../exact/shown.ts";
import { consoleJournal as words, consoleWords } from "../../words/words.ts";
import { type Context, PAGE_ROWS, useFetched } from "../context.ts";
import { ActionButtons, expandable, FilterField, Link, List, ofAccount } from "../elements.tsx";
import { Facts, moment, Pane, plain } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/format.ts";
import { leavesOf } from "../forms/differences.ts";
import { goTo } from "../place.ts";

export function JournalPage({ context }: { context: Context }) {
  const { from = "", before = "", ...params } = context.place.value.params;
  const only = Object.fromEntries(
    FILTERS.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
  );
  const head = useFetched<JournalHead>(context, "/v1/journal");
  const bound = from !== "" ? { from } : before !== "" ? { before } : {};
  const { value, denied } = useFetched<JournalEntries>(context, "/v1/journal/entries", {
    query: { ...only, ...bound, limit: PAGE_ROWS },
  });
  // Without a start entry, entries are shown newest first; from a start entry on, they are shown in journal order.
  const rows = value === null ? null : from === "" ? value.entries.toReversed() : value.entries;
  const looked = value?.searched ?? { fromSeq: 1, toSeq: 0 };
  const isLookedThrough = Object.keys(only).length > 0 && looked.fromSeq <= looked.toSeq;
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <div class="two">
        <Pane title={words.head} denied={head.denied}>
          {head.value !== null && <HeadFacts context={context} head={head.value} />}
        </Pane>
        <Pane title={words.chain}>{value !== null && <ChainFacts chain={value.chain} />}</Pane>
      </div>
      <ActionButtons context={context} page="journal" on="list" />
      <Walk
        key={JSON.stringify({ ...bound, ...only })}
        {...{ from, only }}
        prior={value?.prior ?? null}
        next={value?.next ?? null}
      />
      <List
        {...{ context, denied }}
        title={words.entries}
        name={`journal-${looked.fromSeq}`}
        rows={rows}
        columns={columnsOf(context)}
        keyOf={({ seq }) => seq}
        empty={words.none}
        whole={{ path: "/v1/journal/entries", query: { ...only, from: from === "" ? 1 : from } }}
        more={
          isLookedThrough && (
            <p class="nothing">{words.searched(grouped(String(looked.fromSeq)), grouped(String(looked.toSeq)))}</p>
          )
        }
      />
    </div>
  );
}

/** The filters, which have the same names in the API and in the page's address. */
const FILTERS = ["type", "by", "account", "symbol"] as const;
type Filter = (typeof FILTERS)[number];
type Chosen = Partial<Readonly<Record<Filter, string>>>;

const LABELS: Readonly<Record<Filter | "from", string>> = {
  from: words.from,
  type: words.type,
  by: words.by,
  account: words.ofAccount,
  symbol: words.ofMarket,
};

interface WalkProps {
  readonly from: string;
  readonly only: Chosen;
  readonly prior: number | null;
  readonly next: number | null;
}

function Walk({ from, only, prior, next }: WalkProps) {
  const typed = useSignal<Partial<Record<Filter | "from", string>>>({ from, ...only });
  const walk = (bound: Readonly<Record<string, string>>): void =>
    goTo({ page: "journal", params: { ...only, ...bound } });
  return (
    <form
      class="by-name"
      onSubmit={onSubmitOf(() => {
        const wanted = Object.entries(typed.value).map(([name, text]) => [name, text.trim()]);
        const params = Object.fromEntries(wanted) as Record<string, string>;
        if (/^\d{0,15}$/.test(params["from"] ?? "")) goTo({ page: "journal", params });
      })}
    >
      <Button disabled={prior === null} onClick={() => prior !== null && walk({ before: String(prior) })}>
        {words.older}
      </Button>
      <Button disabled={next === null} onClick={() => next !== null && walk({ from: String(next) })}>
        {words.newer}
      </Button>
      <Link class="button" to={{ page: "journal", params: only }}>
        {words.newest}
      </Link>
      {(["from", ...FILTERS] as const).map((name) => (
        <FilterField
          key={name}
          label={LABELS[name]}
          isNumber={name === "from"}
          text={typed.value[name] ?? ""}
          onText={(text) => (typed.value = { ...typed.value, [name]: text })}
        />
      ))}
      <button type="submit" class="button">
        {words.go}
      </button>
      {Object.keys(only).length > 0 && (
        <Link class="button" to={{ page: "journal" }}>
          {consoleWords.all}
        </Link>
      )}
    </form>
  );
}

function HeadFacts({ context, head }: { context: Context; head: JournalHead }) {
  return (
    <Facts
      rows={{
        [words.lastSeq]: grouped(String(head.lastSeq)),
        [words.lastTime]: showMoment(context, head.lastTimeMs),
        [words.stateSeq]: grouped(String(head.stateSeq)),
        [words.eventDigest]: <code>{head.eventDigest}</code>,
        [words.chainHash]: <code>{head.chainHash}</code>,
      }}
    />
  );
}

function ChainFacts({
  chain: { isValid, fault = "", fromSeq, toSeq, priorHash, hash },
}: {
  chain: JournalEntries["chain"];
}) {
  return (
    <>
      <p class={`headline ${isValid ? "good" : "bad"}`} role="status">
        {isValid ? words.valid(grouped(String(fromSeq)), grouped(String(toSeq))) : words.broken(fault)}
      </p>
      <Facts
        rows={{
          [words.priorHash]: <code>{priorHash}</code>,
          [words.hashAfter]: <code>{hash}</code>,
        }}
      />
    </>
  );
}

const HEAD = ["type", "by"];

function detailsOf({ command }: JournalEntry): string {
  return leavesOf(Object.fromEntries(Object.entries(command).filter(([name]) => !HEAD.includes(name))), "")
    .map(([at, text]) => `${at} ${text}`)
    .join(" · ");
}

function columnsOf(context: Context): Column<JournalEntry>[] {
  return [
    plain(words.entry, ({ seq }) => String(seq), true),
    moment(context, words.time, ({ timeMs }) => timeMs),
    plain(words.command, ({ type }) => type),
    plain(words.by, ({ by }) => by ?? ""),
    ofAccount(words.account),
    {
      label: words.symbol,
      text: ({ symbol }) => symbol ?? "",
      show: ({ symbol }) => symbol !== null && <Link to={{ page: "markets", subject: symbol }}>{symbol}</Link>,
    },
    plain(words.node, ({ node }) => node),
    expandable(words.details, detailsOf),
  ];
}
