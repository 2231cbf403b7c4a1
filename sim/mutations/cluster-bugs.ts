/**
 * Bugs of several nodes: acknowledgments that come too early, entries that appear twice or not at all, and tasks that
 * two nodes perform.
 */
import { Engine, type Entry } from "@pricetime/engine";
import type { LogRow } from "@pricetime/server/data-folder";
import { NotAccepted, type Outcome, OutcomeUnknown, type Sequencer } from "@pricetime/server/parts";
import { NodesReader } from "../../packages/engine/src/engine-readers.ts";
import { type ClusterSeams, NO_CLUSTER_BUG } from "./cluster-seams.ts";
import { ENDED_SESSION_LIVES } from "./access-bugs.ts";
import { simulateCluster } from "../cluster/simulation.ts";
import type { Hunt } from "./list.ts";
import { inClass } from "./mutation.ts";

export interface ClusterMutation {
  readonly name: string;
  readonly seams: ClusterSeams;
  /** Returns a function that removes the bug. */
  plant(): () => void;
}

const NOTHING = (): (() => void) => () => {};

function atStore(name: string, store: Partial<ClusterSeams["store"]>, plant = NOTHING): ClusterMutation {
  return { name, seams: { ...NO_CLUSTER_BUG, store: { ...NO_CLUSTER_BUG.store, ...store } }, plant };
}

function atNode(name: string, node: Partial<ClusterSeams["node"]>): ClusterMutation {
  return { name, seams: { ...NO_CLUSTER_BUG, node: { ...NO_CLUSTER_BUG.node, ...node } }, plant: NOTHING };
}

function inPlace(mutation: { readonly name: string; plant(): () => void }): ClusterMutation {
  return { name: mutation.name, seams: NO_CLUSTER_BUG, plant: () => mutation.plant() };
}

function submitting(real: Sequencer, submit: Sequencer["submit"]): Sequencer {
  return { submit, run: real.run.bind(real), nowMs: () => real.nowMs() };
}

/** True once in so many calls. */
function every(times: number): () => boolean {
  let calls = 0;
  return () => ++calls % times === 0;
}

/** The check that a batch belongs here is skipped. */
const headersUnseen = inClass(
  "nobody looks whether a batch has its place",
  NodesReader.prototype,
  "refusal",
  () => null,
);

export const CLUSTER_BUGS: readonly ClusterMutation[] = [
  atNode("an answer before the row came back", {
    sequencer(real, line, engine) {
      const waiting: ((outcome: Outcome) => void)[] = [];
      line.onAcknowledged = ({ count }) => {
        const [seq, timeMs] = [engine.seq, real.nowMs()];
        const taken = waiting.splice(0, count - 1);
        for (const [at, tell] of taken.entries()) tell({ seq: seq + 2 + at, timeMs, events: [{ type: "done" }] });
      };
      return submitting(real, (command, settle) => {
        let isSettled = false;
        const tell: typeof settle = (outcome) => {
          if (!isSettled) settle(outcome);
          isSettled = true;
        };
        waiting.push(tell);
        real.submit(command, (outcome) => {
          const at = waiting.indexOf(tell);
          if (at !== -1) waiting.splice(at, 1);
          tell(outcome);
        });
      });
    },
  }),
  atNode("a request of unknown outcome is put into another batch", {
    sequencer: (real) =>
      submitting(real, (command, settle) => {
        real.submit(command, (outcome) => {
          if (outcome instanceof OutcomeUnknown) real.submit(command, settle);
          else settle(outcome);
        });
      }),
  }),
  atNode("an unknown outcome is told as refused", {
    sequencer: (real) =>
      submitting(real, (command, settle) => {
        real.submit(command, (outcome) => {
          settle(outcome instanceof OutcomeUnknown ? new NotAccepted(outcome.message) : outcome);
        });
      }),
  }),
  atStore("a batch is tried again under another id", {
    retryId: (id, attempt) => (attempt === 0 ? id : `${id}-${attempt}`),
  }),
  atStore(
    "a row is delivered twice, and nobody looks at its number",
    {
      follow: (next) => {
        const isTwice = every(9);
        let again: LogRow | undefined;
        return async () => {
          const row = again ?? (await next());
          again = again === undefined && isTwice() ? row : undefined;
          return row;
        };
      },
    },
    () => headersUnseen.plant(),
  ),
  atStore("a row is left out", {
    follow: (next) => {
      const isLost = every(60);
      return async () => {
        if (isLost()) await next();
        return next();
      };
    },
  }),
  atStore("a watch is resumed one row too far", { resumeAfter: (number) => (number === 0 ? 0 : number + 1) }),
  atStore(
    "a watch is resumed one row too early, and nobody looks at numbers",
    {
      resumeAfter: (number) => Math.max(0, number - 1),
    },
    () => headersUnseen.plant(),
  ),
  atStore("a silent watch is not noticed", { noticesSilence: false }),
  atStore("the tail is removed before nodes hold it", { trimTo: (_bound, _mirrored, last) => last }),
  atStore("a batch is removed before its author has seen it", { trimTo: (_bound, mirrored) => mirrored }),
  atStore("nobody looks whether the store went back", { noticesOldCopies: false }),
  atNode("a node goes on although the store went back", { heedsStore: false }),
  inPlace(headersUnseen),
  inPlace(ENDED_SESSION_LIVES),
  inPlace(
    inClass("a holder's number is not looked at", Engine.prototype, "apply", function (real, args) {
      const [entry] = args as unknown as [Entry];
      const { command } = entry;
      const unheld = command.type === "asHolder" ? { ...entry, command: command.command } : entry;
      return real.apply(this, [unheld] as unknown as typeof args);
    }),
  ),
  atNode("a stale read is not refused", { latest: () => async () => 0 }),
  atNode("a node's own journal is never told to keep anything", { liesAboutSync: true }),
];

/** The number of nodes of a run with this seed, unless another is given. */
export function nodesOf(seed: number): number {
  return 2 + (seed % 3);
}

/** Seeds tried from the known one on, and the length of their histories. */
const MOST_SEEDS = 60;
const LENGTH = 250;

/** Runs one seed after another until the auditor finds the bug. */
export async function huntInCluster({ seams, plant }: ClusterMutation, from = 1): Promise<Hunt> {
  const takeOut = plant();
  try {
    for (let seed = from; seed < from + MOST_SEEDS; seed++) {
      const { violation } = await simulateCluster({ seed, nodes: nodesOf(seed), length: LENGTH, seams });
      if (violation !== undefined) return { seed, violation };
    }
    return { seed: undefined, violation: undefined };
  } finally {
    takeOut();
  }
}
