/** What the console says of those who work in it, in English: signing in, oneself, operators, who is invited. */
export const consoleSignIn = {
  signIn: "Sign in",
  way: "Sign in by",
  ways: { token: "Admin token", name: "Name and password" },
  token: "Admin token",
  operator: "Your name, as the journal shall show it",
  tokenHelp:
    "The token stands in admin.json in the data folder of the node. This tab alone keeps it, until it is closed or you sign out.",
  badToken: "That cannot be an admin token.",
  badOperator: "A name has 1 to 64 visible characters, none of them a space.",
  name: "Name",
  password: "Password",
  code: "Code of your app",
  incomplete: "Name and password are missing.",
  nameHelp:
    "An operator's name, and the password chosen by the link of the invitation. This tab alone keeps the session, until it is closed or you sign out.",
  // The link of an invitation.
  invitation: "Choose a password",
  invitationHelp: "You are invited to operate this venue. Choose the password with which you will sign in.",
  newPassword: "New password",
  again: "Once more",
  tooShort: (least: number): string => `A password has at least ${least} characters.`,
  notAlike: "The two are not alike.",
  accept: "Choose it",
  accepted: (name: string): string => `Your password is set. Sign in as ${name}.`,
} as const;

export const consoleMe = {
  title: "You",
  me: "Signed in as",
  name: "Name",
  role: "Role",
  tokenRole: "the admin token",
  rights: "Rights",
  all: "all that one person may",
  looks: "to look",
  totp: "Two-factor",
  noneOfToken: "an admin token has none",
  tokenHelp:
    "Whoever has the admin token may do all that one person may, and no act of theirs is somebody's by proof. Operators with names, passwords and roles are opened on the page of operators.",
  beginTotp: "Set up two-factor",
  totpHelp: "Your password first. Then an app on your phone makes a code for each time that you sign in.",
  password: "Your password",
  scan: "Let your app read this, or type the secret. It is shown here once.",
  qr: "QR code of your two-factor secret",
  orType: "Secret:",
  code: "The code that your app shows now",
  confirmTotp: "Confirm two-factor",
  totpSet: "Two-factor is set: from now on you sign in with a code too.",
} as const;

export const consoleOperators = {
  title: "Operators",
  none: "Nobody has a name here yet: all is done by the admin token.",
  unknown: "There is no operator of this name.",
  operator: "Operator",
  name: "Name",
  email: "Mail",
  role: "Role",
  state: "State",
  enabled: "may sign in",
  disabled: "disabled",
  password: "Password",
  sessions: "Signed in at",
  totp: "Two-factor",
  opened: "Opened",
  roles: "What each role may do",
  roleHelp: {
    viewer: "Looks at everything and changes nothing.",
    support: "Serves customers: accounts, their rights, keys, invitations, notes. Stops the venue.",
    treasurer: "Moves money: withdrawals, deposits, networks, adjustments, proofs. Stops the venue.",
    admin: "May do all of it, and what concerns the venue: markets, operators, rules of approval, fees.",
  },
} as const;

export const consoleInvitations = {
  title: "Open invitations",
  none: "Nobody is invited.",
  email: "Mail",
  forWhom: "For",
  newAccount: "a new account",
  by: "By",
  created: "Invited",
  until: "Good until",
  revoke: "Take back",
  revokeOne: (email: string): string => `Take back the invitation of ${email}`,
} as const;
