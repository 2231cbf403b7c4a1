/** The node's networks and the actions on them: rescan, sweep, and the simulation of sandbox networks. */
import type { Configuration, NetworkState } from "@pricetime/server/answers";
import { type Context, useFetched, useNetworks } from "../context.ts";
import type { Column } from "../../panels/data-table.tsx";
import { consoleNetworks as words, pagesWords } from "../../words/words.ts";
import { grouped } from "../../exact/shown.ts";
import { ActionButtons, details, Heading, Link, linked, List } from "../elements.tsx";
import { Facts, Pane, plain } from "../../pages/pane.tsx";
import { Copied } from "../../pages/secret.tsx";
import { buttonsOn } from "../routes.ts";

const Up = ({ network: { isUp } }: { network: NetworkState }) => (
  <span class={`tag ${isUp ? "good" : "bad"}`}>{isUp ? words.isUp : words.isDown}</span>
);

/** A number of blocks. Manual networks have none. */
const blocks = ({ kind }: NetworkState, count: number): string =>
  kind === "manual" ? pagesWords.noFigure : grouped(String(count));

const columns: readonly Column<NetworkState>[] = [
  linked("networks", words.network, ({ network }) => network),
  plain(words.kind, ({ kind }) => kind),
  {
    label: words.status,
    text: ({ isUp }) => (isUp ? words.isUp : words.isDown),
    show: (network) => <Up network={network} />,
  },
  plain(words.height, (one) => blocks(one, one.height), true),
  plain(words.readHeight, (one) => blocks(one, one.readHeight), true),
  plain(words.behind, (one) => blocks(one, one.height - one.readHeight), true),
  plain(words.owner, ({ owner }) => owner ?? words.here),
  details(words.error, ({ error }) => error),
];

/** Route keys of actions that only exist for other kinds of networks. */
function hiddenFor({ kind }: NetworkState): string[] {
  return buttonsOn("networks", "one").filter((key) => {
    if (key.includes("/sandbox")) return kind !== "sandbox";
    return key.endsWith("/rescan") ? kind === "manual" : kind !== "evm";
  });
}

export function NetworksPage({ context }: { context: Context }) {
  const { value, denied } = useNetworks(context);
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <List
        {...{ context, denied, columns }}
        title={words.title}
        name="networks"
        rows={value}
        keyOf={({ network }) => network}
        empty={words.none}
        whole={{ path: "/v1/networks" }}
      />
      <AddNetwork context={context} />
    </div>
  );
}

/** Networks are only in the configuration of the node. */
function AddNetwork({ context }: { context: Context }) {
  const venue = useFetched<Configuration>(context, "/v1/configuration").value;
  return (
    <Pane title={words.add}>
      <div class="padded">
        <p>
          {words.addHelp}{" "}
          {venue !== null && (
            <a href={`${venue.publicUrl}/docs/operate/wallet`} target="_blank" rel="noreferrer">
              {words.docs}
            </a>
          )}
        </p>
        <Copied name="snippet" label={words.snippet} value={SNIPPET} />
      </div>
    </Pane>
  );
}

const SNIPPET = `wallet:
  networks:
    - network: BANK
      kind: manual
      sharedAddress: DE0001
    - network: BTC
      kind: sandbox`;

export function NetworkPage({ context }: { context: Context }) {
  const name = context.place.value.subject;
  const { value, denied } = useNetworks(context);
  const network = value?.find((one) => one.network === name);
  return (
    <div class="page">
      <Heading page="networks" title={words.title} of={name} />
      {network !== undefined && (
        <ActionButtons
          context={context}
          page="networks"
          on="one"
          given={{ network: name }}
          hidden={hiddenFor(network)}
        />
      )}
      <Pane
        title={name}
        denied={denied}
        tools={<Link to={{ page: "deposits", params: { network: name } }}>{words.deposits}</Link>}
      >
        {value !== null && network === undefined && <p class="nothing">{words.notOfNode}</p>}
        {network !== undefined && (
          <Facts
            rows={{
              [words.kind]: network.kind,
              [words.status]: <Up network={network} />,
              ...(network.kind !== "manual" && {
                [words.height]: grouped(String(network.height)),
                [words.readHeight]: grouped(String(network.readHeight)),
              }),
              [words.owner]: network.owner ?? words.here,
              [words.error]: network.error === "" ? pagesWords.noFigure : network.error,
            }}
          />
        )}
      </Pane>
    </div>
  );
}
