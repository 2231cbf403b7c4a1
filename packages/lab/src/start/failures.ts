/** Says how to see a failure again where a test fails, because assertions of a test know nothing of seeds. */
import { type Origin, originLine } from "../client/refusal.ts";
import { isJest, isVitest, repeatCommand } from "../client/repeat.ts";

interface Begun {
  readonly seed: number;
  readonly version?: string;
}

/** Exchanges that this process has started, by seed. */
const origins = new Map<number, Omit<Origin, "repeat">>();

/** From now on a failure tells of this exchange as well. `version`: once it has started. */
export function tellAtFailure({ seed, version = origins.get(seed)?.version ?? "?" }: Begun): void {
  origins.set(seed, { seed, version });
  hearFailures();
}

/** Each runner of tests says in another way that one has failed; a plain program ends with a code. */
export function hearFailures(): void {
  if (isVitest()) hearVitest();
  else if (isJest()) hearJest();
  else hearEnd();
}

function tell(): void {
  for (const { seed, version } of origins.values()) {
    // The command is made anew: a worker of vitest may have gone on to another file.
    const line = originLine({ seed, version, repeat: repeatCommand(seed) });
    process.stderr.write(`pricetime lab: failed ${line}\n`);
  }
}

let isHearing = false;

/** Also `node --test`, which gives each file a process. */
function hearEnd(): void {
  if (isHearing) return;
  isHearing = true;
  process.once("exit", (code) => {
    if (code !== 0) tell();
  });
}

interface JestEvent {
  readonly name: string;
  readonly test?: { readonly errors: readonly unknown[] };
}

/** Jest's circus, its usual runner, keeps whom it tells of its events under a symbol that all its copies share. */
function hearJest(): void {
  const handlers = (globalThis as { [name: symbol]: unknown })[Symbol.for("EVENT_HANDLERS")];
  if (isHearing || !Array.isArray(handlers)) return;
  isHearing = true;
  handlers.push(({ name, test }: JestEvent) => {
    if (name === "test_done" && test !== undefined && test.errors.length > 0) tell();
  });
}

/** A test or a suite of vitest. */
interface VitestTask {
  readonly tasks?: readonly VitestTask[];
  readonly file?: VitestTask;
  /** What its `onTestFailed` fills. */
  onFailed?: (() => void)[] | undefined;
}

interface VitestContext {
  readonly onTestFailed: (heard: () => void) => void;
}

interface VitestGlobals {
  readonly __vitest_worker__?: { readonly current?: VitestTask };
  readonly __vitest_index__?: {
    readonly beforeEach: (hook: (context: VitestContext) => void) => void;
  };
}

const heardFiles = new WeakSet<VitestTask>();

/** Hooks can be set while a file is read; later its tests are known, and each is asked to say that it has failed. */
function hearVitest(): void {
  const { __vitest_worker__: worker, __vitest_index__: vitest } = globalThis as VitestGlobals;
  const file = worker?.current?.file;
  if (file === undefined || heardFiles.has(file)) return;
  heardFiles.add(file);
  const tests = testsOf(file);
  if (tests.length === 0) vitest?.beforeEach(({ onTestFailed }) => onTestFailed(tell));
  for (const test of tests) (test.onFailed ??= []).push(tell);
}

const testsOf = (task: VitestTask): VitestTask[] => (task.tasks === undefined ? [task] : task.tasks.flatMap(testsOf));
