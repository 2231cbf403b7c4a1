/** The node's networks and the actions on them: rescan, sweep, and the simulation of sandbox networks. */
import type { NetworkState } from "@pricetime/server/answers";
import { type Context, useNetworks } from "../context.ts";
import type { Column } from "../../panels/data-table.tsx";
import { consoleNetworks as words, pagesWords } from "../../words/words.ts";
import { grouped } from "../../exact/shown.ts";
import { ActionButtons, details, Heading, Link, linked, List } from "../elements.tsx";
import { Facts, Pane, plain } from "../../pages/pane.tsx";
import { buttonsOn } from "../routes.ts";

const Up = ({ network: { isUp } }: { network: NetworkState }) => (
  <span class={`tag ${isUp ? "good" : "bad"}`}>{isUp ? words.isUp : words.isDown}</span>
);

const columns: readonly Column<NetworkState>[] = [
  linked("networks", words.network, ({ network }) => network),
  plain(words.kind, ({ kind }) => kind),
  {
    label: words.status,
    text: ({ isUp }) => (isUp ? words.isUp : words.isDown),
    show: (network) => <Up network={network} />,
  },
  plain(words.height, ({ height }) => grouped(String(height)), true),
  plain(words.readHeight, ({ readHeight }) => grouped(String(readHeight)), true),
  plain(words.behind, ({ height, readHeight }) => grouped(String(height - readHeight)), true),
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
    </div>
  );
}

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
              [words.height]: grouped(String(network.height)),
              [words.readHeight]: grouped(String(network.readHeight)),
              [words.owner]: network.owner ?? words.here,
              [words.error]: network.error === "" ? pagesWords.noFigure : network.error,
            }}
          />
        )}
      </Pane>
    </div>
  );
}
