/**
 * Rows of the command tables. A row contains the name and texts of a command, the routes that it calls (or code that it
 * runs instead), and the columns of its output. docs/decisions/0077.
 */
import { Argument, type Command, Option } from "commander";
import type { Connection } from "./connection.ts";
import { CommandFailed, type Row, type Terminal } from "./terminal.ts";
import { addConnectionOptions, addRestOptions, Session } from "./session.ts";
import { BODY, type Value } from "./values.ts";

/** The given arguments and options, by name in camel case. */
export type Given = Readonly<Record<string, unknown>>;

interface Parameter extends Value {
  readonly name: string;
}

interface Call {
  /** Method and path, such as `GET /v1/accounts/:account`. Path parameters have the names of arguments. */
  readonly route: string;
  /** The route is called if one of these parameters is given. If empty, the route is called when no other one is. */
  readonly when: readonly string[];
}

/** An item of a command table: a help heading, a row, a group, or a function that adds a command. */
export type Item = string | CommandRow | Group | ((program: Command, terminal: Terminal) => void);

export interface Group {
  readonly name: string;
  readonly text: string;
  readonly items: readonly Item[];
}

export const group = (name: string, text: string, ...items: readonly Item[]): Group => ({ name, text, items });
/**
 * Creates a command that uses the admin API. `words`: the last word of its name, and its arguments; `route`: as in
 * `calls`.
 */
export const command = (words: string, route?: string): CommandRow => {
  const row = new CommandRow(words, addConnectionOptions);
  return route === undefined ? row : row.calls(route);
};
/** Creates a command that uses the REST API. */
export const restCommand = (words: string): CommandRow => new CommandRow(words, addRestOptions);
/** Creates a command that does not connect to a node, or does so only with its own options. */
export const localCommand = (words: string): CommandRow => new CommandRow(words, null);

/** Adds the items of a table to a command. `end` is called with the exit code. */
export function addItems(
  parent: Command,
  items: readonly Item[],
  terminal: Terminal,
  end: (exitCode: number) => void,
): void {
  for (const item of items) {
    if (typeof item === "string") parent.commandsGroup(item);
    else if (typeof item === "function") item(parent, terminal);
    else if (item instanceof CommandRow) item.addTo(parent, terminal, end);
    else addItems(parent.command(item.name).description(item.text), item.items, terminal, end);
  }
}

/** A row of the command table. Each method sets a property and returns the row. */
export class CommandRow {
  readonly parameters: Parameter[] = [];
  readonly routes: Call[] = [];
  /** How the body is computed; set by `sends`. */
  body: ((given: never) => object) | undefined;
  /** The last word of the command's name, followed by its arguments. */
  readonly words: string;
  readonly #shared: ((command: Command) => void) | null;
  readonly #setUp: ((command: Command) => void)[] = [];
  #isDefault = false;
  #columns: readonly string[] = [];
  #answer: ((answer: never, session: Session) => unknown) | undefined;
  #table: ((answer: never) => unknown) | undefined;
  #current: ((answer: never) => object | null | undefined) | undefined;
  #note: ((answer: never, given: never) => string | undefined) | undefined;
  #code: ((session: Session, given: never) => Promise<void> | void) | undefined;

  constructor(words: string, shared: ((command: Command) => void) | null) {
    this.words = words;
    this.#shared = shared;
    for (const [, name = ""] of words.matchAll(/[<[]([^<>[\]]+?)(?:\.\.\.)?[>\]]/g)) this.parameters.push({ name });
  }

  /** Adds a route. Of several routes, the last one with a given parameter in `when` is called. */
  calls(route: string, ...when: readonly string[]): this {
    this.routes.push({ route, when });
    return this;
  }

  text(text: string): this {
    this.#setUp.push((added) => added.description(text));
    return this;
  }

  /** Adds an argument after the ones in `words`. */
  argument(words: string, text: string, value: Value = {}): this {
    const argument = new Argument(words, text);
    this.#setUp.push((added) => added.addArgument(withValue(argument, value)));
    return this.#withParameter(argument.name(), value);
  }

  option(flags: string, text: string, value: Value = {}): this {
    return this.#withOption(new Option(flags, text), value);
  }

  required(flags: string, text: string, value: Value = {}): this {
    return this.#withOption(new Option(flags, text).makeOptionMandatory(), value);
  }

  /** Sets the columns for an answer that is a list. */
  columns(...columns: readonly string[]): this {
    this.#columns = columns;
    return this;
  }

  /** Sets how the body or query is computed from the parameters. Default: one field per parameter. */
  sends<T>(body: (given: T) => object): this {
    this.body = body;
    return this;
  }

  /** Converts the answer for both table and JSON output. */
  answer<T>(shown: (answer: T, session: Session) => unknown): this {
    this.#answer = shown;
    return this;
  }

  /** Converts the answer for table output only. */
  table<T>(shown: (answer: T) => unknown): this {
    this.#table = shown;
    return this;
  }

  /** Adds the current fields, from the answer of the first route, to the body of a PUT. Null: there are none. */
  keeps<T>(current: (answer: T) => object | null | undefined): this {
    this.#current = current;
    return this;
  }

  /** Adds a sentence after the table. */
  note<T, G = Given>(sentence: (answer: T, given: G) => string | undefined): this {
    this.#note = sentence;
    return this;
  }

  /** Makes this the default command of its group. */
  default(): this {
    this.#isDefault = true;
    return this;
  }

  /** Runs code instead of calling a route. */
  runs<G = Given>(code: (session: Session, given: G) => Promise<void> | void): this {
    this.#code = code;
    return this;
  }

  addTo(parent: Command, terminal: Terminal, end: (exitCode: number) => void): void {
    const added = parent.command(this.words, { isDefault: this.#isDefault });
    for (const setUp of this.#setUp) setUp(added);
    this.#shared?.(added);
    added.action(async (...all: unknown[]) => {
      const options = all.at(-2) as Given;
      const words = added.registeredArguments.map((argument, at) => [argument.name(), all[at]] as const);
      const said = words.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
      const given = { ...options, ...Object.fromEntries(said) };
      const session = new Session(options, terminal);
      if (this.#code === undefined) return this.#call(session, given);
      await this.#code(session, given as never);
      end(session.exitCode);
    });
  }

  async #call(session: Session, given: Given): Promise<void> {
    const { connection, output } = session;
    const selected = this.routes.filter(({ when }) => when.some((name) => given[name] !== undefined));
    if (given["remove"] === true && selected.length > 1) throw new CommandFailed("use --remove without other options");
    const route = (selected.at(-1) ?? this.routes.find(({ when }) => when.length === 0))?.route ?? "";
    const { method, path, inPath } = this.#target(route, given);
    const sent = this.body?.(given as never) ?? this.#bodyOf(given, inPath);
    const body = method === "PUT" ? await this.#withCurrent(connection, given, sent) : sent;
    const target = method === "GET" ? `${path}${queryOf(body)}` : path;
    const answer = await connection.call<never>(method, target, method === "GET" ? undefined : body);
    const whole = this.#answer === undefined ? answer : this.#answer(answer, session);
    const shown = output.isJson || this.#table === undefined ? whole : this.#table(whole as never);
    if (Array.isArray(shown)) output.rows(shown as Row[], this.#columns);
    else if (!output.isJson && this.#answer !== undefined && isEmpty(shown)) output.note("(none)");
    else output.one(shown as Row);
    const note = this.#note?.(answer, given as never);
    if (note !== undefined) output.note(note);
  }

  /** The method and path of a route, and the names of the parameters in its path. */
  #target(route: string, given: Given): { method: string; path: string; inPath: readonly string[] } {
    const [method = "", pattern = ""] = route.split(" ");
    const inPath = [...pattern.matchAll(/:([A-Za-z]+)/g)].map(([, name = ""]) => name);
    const path = inPath.reduce(
      (all, name) => all.replace(`:${name}`, encodeURIComponent(this.#textOf(name, given))),
      pattern,
    );
    return { method, path, inPath };
  }

  async #withCurrent(connection: Connection, given: Given, sent: unknown): Promise<unknown> {
    if (this.#current === undefined) return sent;
    const { method, path } = this.#target(this.routes[0]?.route ?? "", given);
    return { ...this.#current(await connection.call<never>(method, path)), ...(sent as Row) };
  }

  #textOf(name: string, given: Given): string {
    const parameter = this.parameters.find((each) => each.name === name);
    return String(parameter === undefined ? given[name] : valueOf(parameter, given));
  }

  /** Computes the body from the given parameters, except those in the path and flags that only select the route. */
  #bodyOf(given: Given, inPath: readonly string[]): unknown {
    const selecting = this.routes.flatMap(({ when }) => when);
    const sent = this.parameters.filter(
      ({ name }) =>
        given[name] !== undefined && !inPath.includes(name) && !(given[name] === true && selecting.includes(name)),
    );
    const fields = sent.map((each) => [each.field ?? each.name, valueOf(each, given)] as const);
    const named = fields.filter(([field]) => field !== BODY);
    const document = fields.find(([field]) => field === BODY);
    if (document === undefined) return named.length === 0 ? undefined : Object.fromEntries(named);
    const [, whole] = document;
    // The node rejects a document that is not an object.
    const isObject = typeof whole === "object" && whole !== null && !Array.isArray(whole);
    return isObject ? { ...whole, ...Object.fromEntries(named) } : whole;
  }

  #withOption(option: Option, value: Value): this {
    this.#setUp.push((added) => added.addOption(withValue(option, value)));
    return this.#withParameter(option.attributeName(), value);
  }

  #withParameter(name: string, value: Value): this {
    this.parameters.push({ ...value, name });
    return this;
  }
}

function isEmpty(shown: unknown): boolean {
  return typeof shown === "object" && shown !== null && Object.keys(shown).length === 0;
}

function valueOf({ name, convert }: Parameter, given: Given): unknown {
  return convert === undefined ? given[name] : convert(given[name] as never, name);
}

function withValue<T extends Argument | Option>(parameter: T, { choices, parse, default: preset }: Value): T {
  if (choices !== undefined) parameter.choices(choices);
  if (parse !== undefined) parameter.argParser((text) => parse(text));
  if (preset !== undefined) parameter.default(preset);
  return parameter;
}

function queryOf(fields: unknown): string {
  const said = Object.entries((fields ?? {}) as Given).map(([name, value]): [string, string] => [name, String(value)]);
  return said.length === 0 ? "" : `?${new URLSearchParams(said).toString()}`;
}
