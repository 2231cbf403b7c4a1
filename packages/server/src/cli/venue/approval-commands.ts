/** The commands for acts that need a second person: the rules, proposals, and the way out of the rules. */
import { Argument, type Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, readDocument, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addApprovalCommands(program: Command, terminal: Terminal): void {
  const rules = program.command("approval-rules [file]");
  rules.description("which acts need a second person: show, or replace by a file (-: stdin)");
  action(rules, terminal, async ({ connection, output }, [path]) => {
    const shown =
      path === undefined
        ? connection.call<Row>("GET", "/v1/approval-rules")
        : connection.call<Row>("PUT", "/v1/approval-rules", readDocument(path));
    output.one(await shown);
  });
  addProposals(program, terminal);
  addBreakGlass(program, terminal);
}

function addProposals(program: Command, terminal: Terminal): void {
  const proposal = program.command("proposal").description("acts that wait for a second person");
  action(proposal.command("list").description("the oldest first"), terminal, async ({ connection, output }) => {
    const rows = await connection.call<Row[]>("GET", "/v1/proposals");
    const columns = ["proposalId", "version", "type", "why", "authors", "approvals", "approvalsNeeded", "untilMs"];
    output.rows(output.isJson ? rows : rows.map((row) => ({ ...row, type: (row["act"] as Row)["type"] })), columns);
  });
  action(
    proposal.command("show <proposal>").description("one of them, with its act"),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/proposals/${escape(id)}`)),
  );
  const create = proposal.command("create <file>").description("propose an act: JSON or YAML, as NEEDS_TWO told it");
  create.requiredOption("--why <text>", "for whoever approves it");
  action(create, terminal, async ({ connection, output }, [path = ""], { why }) =>
    output.one(await connection.call<Row>("POST", "/v1/proposals", { act: readDocument(path), why })),
  );
  const change = proposal.command("change <proposal> <file>").description("another act or reason: approvals are void");
  change.requiredOption("--at-version <number>", "the version that you read", wholeNumber);
  change.requiredOption("--why <text>", "for whoever approves it");
  action(change, terminal, async ({ connection, output }, [id = "", path = ""], { atVersion: version, why }) => {
    const body = { version, act: readDocument(path), why };
    output.one(await connection.call<Row>("PUT", `/v1/proposals/${escape(id)}`, body));
  });
  const approve = proposal.command("approve <proposal>").description("the last approval needed carries out the act");
  approve.requiredOption("--at-version <number>", "the version that you read", wholeNumber);
  action(approve, terminal, async ({ connection, output }, [id = ""], { atVersion: version }) =>
    output.one(await connection.call<Row>("POST", `/v1/proposals/${escape(id)}/approve`, { version })),
  );
  const reject = proposal.command("reject <proposal>").description("refuse one, or take your own back");
  reject.requiredOption("--why <text>", "what its author is told");
  action(reject, terminal, async ({ connection, output }, [id = ""], { why }) =>
    output.one(await connection.call<Row>("POST", `/v1/proposals/${escape(id)}/reject`, { why })),
  );
}

function addBreakGlass(program: Command, terminal: Terminal): void {
  const command = program.command("break-glass");
  command.addArgument(new Argument("[announce|stop]").choices(["announce", "stop"]));
  command.description("where the second person is gone: the rules of approval end a day after all were told");
  command.option("--why <text>", "what every operator is told");
  action(command, terminal, async ({ connection, output }, [verb], { why }) => {
    const path = "/v1/break-glass";
    if (verb === undefined) return output.one(await connection.call<Row>("GET", path));
    const isStop = verb === "stop";
    output.one(await connection.call<Row>(isStop ? "DELETE" : "POST", path, isStop ? undefined : { why }));
  });
}
