/** A gRPC server that forwards to a real member, and tampers with calls as instructed. */
import {
  ChannelCredentials,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { CallFailed, Endpoint, ETCD_LIMITS } from "../../../src/cluster/etcd/endpoint.ts";
import {
  definitionOf,
  type Method,
  type Methods,
  type Streams,
  type WatchRequest,
  type WatchResponse,
} from "../../../src/cluster/etcd/protocol.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const METHODS: readonly Method[] = [
  "KV/Range",
  "KV/Txn",
  "KV/Compact",
  "Lease/LeaseGrant",
  "Lease/LeaseRevoke",
  "Maintenance/Alarm",
  "Maintenance/Status",
];

/** What happens to a response: forwarded, withheld, or replaced by an error. */
export type Verdict = "pass" | "never answer" | { readonly code: status; readonly details: string };

export class TamperingMember {
  url = "";
  /** What happens to each response of a watch: dropped, forwarded, or duplicated. `at` counts those of this watch. */
  onWatch: (response: WatchResponse, watch: number, at: number) => readonly WatchResponse[] | "end" = (response) => [
    response,
  ];
  /** Called before a call is forwarded; an error means that it is not forwarded. */
  before: (name: Method, request: unknown) => Verdict = () => "pass";
  /** Called after a call was carried out. */
  after: (name: Method, request: unknown) => Verdict = () => "pass";
  /** Calls and watches without the requirement of a leader. */
  leaderless = 0;
  /** Watches so far, and their requests. */
  readonly watches: WatchRequest[] = [];
  readonly #server: Server;
  readonly #behind: Endpoint;

  private constructor(server: Server, behind: Endpoint) {
    this.#server = server;
    this.#behind = behind;
  }

  static async open(target: string): Promise<TamperingMember> {
    const limits = { ...ETCD_LIMITS, callMs: 10_000 };
    const behind = new Endpoint(target, ChannelCredentials.createInsecure(), limits, MACHINE);
    const server = new Server({ "grpc.max_receive_message_length": -1 });
    const member = new TamperingMember(server, behind);
    for (const name of METHODS) {
      const method = name.slice(name.indexOf("/") + 1);
      server.addService(
        { [method]: definitionOf(name) },
        {
          [method]: ((call, answer) => {
            if (call.metadata.get("hasleader")[0] !== "true") member.leaderless++;
            member.#call(name, withoutEmpty(call.request)).then(
              (response) => response !== undefined && answer(null, response),
              (error: ServiceError) => answer({ code: error.code, details: error.message }),
            );
          }) satisfies handleUnaryCall<Methods[Method][0], unknown> as handleUnaryCall<unknown, unknown>,
        },
      );
    }
    const watch = (call: ServerDuplexStream<WatchRequest, WatchResponse>): void => {
      if (call.metadata.get("hasleader")[0] !== "true") member.leaderless++;
      member.#watch(call);
    };
    server.addService({ Watch: definitionOf("Watch/Watch") }, { Watch: watch });
    const keepAlive = (call: ServerDuplexStream<Streams["Lease/LeaseKeepAlive"][0], unknown>): void => {
      call.on("data", (request: Streams["Lease/LeaseKeepAlive"][0]) => {
        behind.exchange("Lease/LeaseKeepAlive", request).then(
          (response) => call.write(response),
          (error: Error) => call.destroy(error),
        );
      });
      call.on("error", () => {});
    };
    server.addService({ LeaseKeepAlive: definitionOf("Lease/LeaseKeepAlive") }, { LeaseKeepAlive: keepAlive });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    member.url = `http://127.0.0.1:${port}`;
    return member;
  }

  close(): void {
    this.#server.forceShutdown();
    this.#behind.close();
  }

  async #call<Name extends Method>(name: Name, request: Methods[Name][0]): Promise<Methods[Name][1] | undefined> {
    const before = this.before(name, request);
    if (before === "never answer") return undefined;
    if (before !== "pass") throw new CallFailed(before.code, before.details);
    const answer = await this.#behind.call(name, request).catch((error: CallFailed) => {
      // As the real member reports it.
      throw new CallFailed(error.code, error.message.replace(/^http:\S+ /, ""));
    });
    const after = this.after(name, request);
    if (after === "never answer") return undefined;
    if (after !== "pass") throw new CallFailed(after.code, after.details);
    return answer;
  }

  #watch(call: ServerDuplexStream<WatchRequest, WatchResponse>): void {
    const { stream, close } = this.#behind.stream("Watch/Watch");
    let watch = 0;
    let at = 0;
    call.on("data", (request: WatchRequest) => {
      if (request.create !== undefined) watch = this.watches.push(request);
      stream.write(withoutEmpty(request));
    });
    const end = (): void => {
      close();
      if (!call.destroyed) call.emit("error", { code: status.UNAVAILABLE, details: "the member has gone" });
    };
    call
      .on("cancelled", close)
      .on("end", close)
      .on("error", () => {});
    stream.on("error", end).on("end", end);
    stream.on("data", (response: WatchResponse) => {
      const passed = this.onWatch(response, watch, at++);
      if (passed === "end") return end();
      const isTaken = passed.map((one) => call.write(one)).every(Boolean);
      if (isTaken) return;
      stream.pause();
      call.once("drain", () => stream.resume());
    });
  }
}

/** Omits empty bytes, because an empty end of a range differs from none. */
function withoutEmpty<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutEmpty) as Value;
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return value;
  const given = Object.entries(value).filter(([, field]) => !(Buffer.isBuffer(field) && field.length === 0));
  return Object.fromEntries(given.map(([name, field]) => [name, withoutEmpty(field)])) as Value;
}
