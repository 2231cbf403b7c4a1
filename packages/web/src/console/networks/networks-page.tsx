/** The networks as the node sees them, and what operators do to one: rescan, sweep, and a sandbox's world. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleNetworks as words, pagesSay } from "../../words/words.ts";
import { grouped } from "../../exact/shown.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { Facts, Pane } from "../../pages/pane.tsx";
import { buttonsOn } from "../routes.ts";
import { type Network, useNetworks } from "../network.ts";

const Up = ({ network: { isUp } }: { network: Network }) => (
  <span class={`tag ${isUp ? "good" : "bad"}`}>{isUp ? words.isUp : words.isDown}</span>
);

const columns: readonly Column<Network>[] = [
  {
    label: words.network,
    text: ({ network }) => network,
    show: ({ network }) => <Link to={{ page: "networks", subject: network }}>{network}</Link>,
  },
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
  {
    label: words.error,
    text: ({ error }) => error,
    show: ({ error }) => <span class="details">{error}</span>,
  },
];

/** Actions that a network of another kind has. */
function hiddenFor({ kind }: Network): string[] {
  return buttonsOn("networks", "one").filter((key) => {
    if (key.includes("/sandbox")) return kind !== "sandbox";
    return key.endsWith("/rescan") ? kind === "manual" : kind !== "evm";
  });
}

export function NetworksPage({ desk }: { desk: Desk }) {
  const { value, denied } = useNetworks(desk);
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <List
        {...{ desk, denied, columns }}
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

export function NetworkPage({ desk }: { desk: Desk }) {
  const name = desk.place.value.subject;
  const { value, denied } = useNetworks(desk);
  const network = value?.find((one) => one.network === name);
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "networks" }}>{words.title}</Link> / {name}
      </h1>
      {network !== undefined && (
        <Acts desk={desk} page="networks" on="one" given={{ network: name }} hidden={hiddenFor(network)} />
      )}
      <Pane
        title={name}
        denied={denied}
        tools={<Link to={{ page: "deposits", asked: { network: name } }}>{words.deposits}</Link>}
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
              [words.error]: network.error === "" ? pagesSay.noFigure : network.error,
            }}
          />
        )}
      </Pane>
    </div>
  );
}
