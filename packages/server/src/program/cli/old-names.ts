/** Names of release 0.2.0 that commands and options still accept with a warning. The next release removes them. */

/** Old and current names of commands. If one name is a prefix of another, the longer one must come first. */
export const OLD_COMMANDS: readonly (readonly [old: string, current: string])[] = [
  ["account subs", "account sub-accounts"],
  ["account allow", "account add-address"],
  ["account disallow", "account remove-address"],
  ["acts", "audit-log"],
  ["venue", "house-accounts"],
  ["sandbox fail", "sandbox inject-fault"],
  ["withdrawal done", "withdrawal complete"],
  ["mail list", "email list"],
  ["mail show", "email show"],
  ["mail send", "email resend"],
  ["mail", "email"],
];

/** Old and current names of options, with the current name of their command. */
export const OLD_OPTIONS: readonly (readonly [command: string, old: string, current: string])[] = [
  ["account change", "--confirm-by-mail", "--confirm-by-email"],
];

/** Replaces old names. Calls `warn` with one sentence per name. */
export function withCurrentNames(argv: readonly string[], warn: (sentence: string) => void): readonly string[] {
  const renamed = OLD_COMMANDS.find(([old]) => startsWith(argv, old));
  const [old, current] = renamed ?? ["", ""];
  if (renamed !== undefined) warn(`'${old}' is now '${current}'. The old name will be removed in the next release.`);
  const words = renamed === undefined ? argv : [...current.split(" "), ...argv.slice(old.split(" ").length)];
  return OLD_OPTIONS.filter(([command]) => startsWith(words, command)).reduce(
    (all, [, option, instead]) => withCurrentOption(all, option, instead, warn),
    words,
  );
}

function startsWith(argv: readonly string[], name: string): boolean {
  return name.split(" ").every((word, at) => argv[at] === word);
}

function withCurrentOption(
  argv: readonly string[],
  old: string,
  current: string,
  warn: (sentence: string) => void,
): readonly string[] {
  const isOld = (word: string): boolean => word === old || word.startsWith(`${old}=`);
  if (!argv.some(isOld)) return argv;
  warn(`'${old}' is now '${current}'. The old name will be removed in the next release.`);
  return argv.map((word) => (isOld(word) ? `${current}${word.slice(old.length)}` : word));
}
