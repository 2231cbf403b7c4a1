/** The commands by which an operator signs in, and changes the own password and codes. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, readText, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const FILE = "the file that it stands in, alone (-: stdin)";
/** Without the end of its line, which editors add. */
const secretIn = (path: unknown): string => readText(String(path)).replace(/\r?\n$/, "");

export function addSignInCommands(program: Command, terminal: Terminal): void {
  const signIn = program.command("sign-in <name>").description("get a session's token, to be sent as --token");
  signIn.requiredOption("--password-file <file>", FILE).option("--code <code>", "the two-factor code, if one is asked");
  action(signIn, terminal, async ({ connection, output }, [name], { passwordFile, code }) => {
    const body = said({ name, password: secretIn(passwordFile), code });
    output.one(await connection.call<Row>("POST", "/v1/sign-in", body));
  });
  action(program.command("sign-out").description("end the session"), terminal, async ({ connection, output }) =>
    output.one(await connection.call<Row>("POST", "/v1/sign-out")),
  );
  const accept = program.command("accept-invitation <id> <secret>");
  accept.description("choose a password by the link of an operator's invitation: its id and its secret");
  accept.requiredOption("--password-file <file>", FILE);
  action(accept, terminal, async ({ connection, output }, [id, secret], { passwordFile }) => {
    const body = { id, secret, password: secretIn(passwordFile) };
    output.one(await connection.call<Row>("POST", "/v1/accept-invitation", body));
  });
  addMe(program, terminal);
}

function addMe(program: Command, terminal: Terminal): void {
  const me = program.command("me").description("who acts, with which rights; the own password and codes");
  action(
    me.command("show", { isDefault: true }).description("who acts, with which rights"),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/me")),
  );
  const password = me.command("password").description("choose another password; other sessions end");
  password.requiredOption("--password-file <file>", FILE).requiredOption("--new-password-file <file>", FILE);
  password.option("--code <code>", "the two-factor code, if one is asked");
  action(password, terminal, async ({ connection, output }, _, { passwordFile, newPasswordFile, code }) => {
    const body = said({ password: secretIn(passwordFile), newPassword: secretIn(newPasswordFile), code });
    output.one(await connection.call<Row>("POST", "/v1/me/password", body));
  });
  const codes = me.command("codes").description("show a secret for two-factor codes; it holds once confirmed");
  codes.requiredOption("--password-file <file>", FILE).option("--remove", "no codes are demanded any more");
  codes.option("--code <code>", "to remove them: the code now");
  action(codes, terminal, async ({ connection, output }, _, { passwordFile, remove, code }) => {
    const body = said({ password: secretIn(passwordFile), ...(remove === true && { code }) });
    output.one(await connection.call<Row>("POST", `/v1/me/totp${remove === true ? "/remove" : ""}`, body));
  });
  action(
    me.command("confirm-codes <pending> <code>").description("demand codes of the secret that was shown"),
    terminal,
    async ({ connection, output }, [pending, code]) =>
      output.one(await connection.call<Row>("POST", "/v1/me/totp/confirm", { pending, code })),
  );
}
