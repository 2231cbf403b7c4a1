"""Checks a proof of liabilities with nothing but Python's standard library.

    python3 proof_check.py PUBLIC                 the venue's public part by itself
    python3 proof_check.py PUBLIC CUSTOMER        and whether a customer's amounts are in its sums
    python3 proof_check.py PUBLIC --against OTHER whether two public parts can both be true

`--key HEX` wants the public part signed by this key. The format is in docs/internals/proof-format.md, and this file is
written from it alone: it shares no code with the program whose proofs it checks. What holds is printed, with code 0; what
does not is said in one line, with code 1.
"""

import argparse
import hashlib
import json
import re
import sys

MAX_SUM = 2**127 - 1
MAX_NUMBER = 2**53 - 1
MAX_TEXT = 16 * 2**20
HOUSE = ("fees", "treasury", "dust", "arriving")
HEX_32 = re.compile(r"[0-9a-f]{64}")
WHOLE = re.compile(r"0|[1-9][0-9]{0,38}")


class Refused(Exception):
    """The proof does not hold, or a file is none."""


def demand(condition, otherwise):
    if not condition:
        raise Refused(otherwise)


# Reading: JSON in one spelling only, and fields of exactly these names and kinds.


def a_count(value):
    return type(value) is int and 0 <= value <= MAX_NUMBER


def a_hash(value):
    return type(value) is str and HEX_32.fullmatch(value) is not None


def a_state_hash(value):
    return type(value) is str and re.fullmatch(r"[0-9a-f]{16}", value) is not None


def a_sum(value):
    return type(value) is str and WHOLE.fullmatch(value) is not None and int(value) <= MAX_SUM


def a_signed_sum(value):
    return type(value) is str and value != "-0" and a_sum(value[1:] if value[:1] == "-" else value)


def a_depth(value):
    return a_count(value) and 1 <= value <= 32


def a_text(value):
    return type(value) is str and not any(0xD800 <= ord(one) <= 0xDFFF for one in value)


def an_asset_name(value):
    return type(value) is str and re.fullmatch(r"[A-Z0-9]{1,20}", value) is not None


def list_of(kind):
    return lambda value: type(value) is list and all(kind(each) for each in value)


def fields(**kinds):
    return lambda value: (
        type(value) is dict and set(value) == set(kinds) and all(kind(value[name]) for name, kind in kinds.items())
    )


def a_step(value):
    return type(value) is list and len(value) == 2 and a_sum(value[0]) and a_hash(value[1])


ASSET = fields(
    asset=an_asset_name, assetId=a_count, decimals=a_count, depth=a_depth, total=a_sum, root=a_hash, leaving=a_sum,
    net=a_signed_sum, **{name: a_signed_sum for name in HOUSE},
)
STATEMENT = fields(
    format=lambda value: value == "pricetime-proof-1",
    number=lambda value: a_count(value) and value >= 1,
    previous=a_hash, seq=a_count, timeMs=a_count, chainHash=a_hash, stateHash=a_state_hash, assets=list_of(ASSET),
)
SEAL = fields(
    publicKey=a_hash,
    signature=lambda value: type(value) is str and re.fullmatch(r"[0-9a-f]{128}", value) is not None,
)
RESERVES = fields(
    format=lambda value: value == "pricetime-reserves-1", statement=a_hash,
    reserves=lambda value: list_of(RESERVE)(value) and 1 <= len(value) <= 1000,
)
RESERVE = fields(
    asset=an_asset_name, network=an_asset_name, block=a_count, amount=a_sum,
    address=lambda value: type(value) is str and re.fullmatch(r"[!-~]{1,128}", value) is not None,
    signature=lambda value: type(value) is str and re.fullmatch(r"([0-9a-f]{130})?", value) is not None,
)
HOLDING = fields(
    asset=a_text, amount=a_sum, index=lambda value: a_count(value) and value < 2**32,
    path=lambda value: list_of(a_step)(value) and len(value) <= 32,
)
CUSTOMER = fields(
    format=lambda value: value == "pricetime-proof-customer-1",
    statement=a_hash, accountId=a_count, email=a_text, secret=a_hash, holdings=list_of(HOLDING),
)


def read_line(line, kind, what):
    demand(len(line) <= MAX_TEXT and re.fullmatch(r"[ -~]*", line) is not None, what + " has what it cannot have")
    try:
        value = json.loads(line)
        spelled = json.dumps(value, separators=(",", ":"))
    except (ValueError, RecursionError):
        raise Refused(what + " is not JSON") from None
    demand(spelled == line, what + " is not JSON as it is written here")
    demand(kind(value), what + " is not of the format")
    return value


def read_file(path):
    with open(path, "rb") as file:
        return file.read(2 * MAX_TEXT).decode("latin-1")


def lines_of(text, lines, what):
    parts = text.split("\n")
    demand(len(parts) == lines + 1 and parts[-1] == "", f"{what} has other than {lines} lines")
    return parts[:lines]


# Ed25519 (RFC 8032, section 5.1.7), on points x, y of the curve -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo P.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def added(one, two):
    """In projective coordinates, so that nothing is divided on the way."""
    (x1, y1, z1), (x2, y2, z2) = one, two
    z = z1 * z2 % P
    zz, xx, yy = z * z % P, x1 * x2 % P, y1 * y2 % P
    product = D * xx * yy % P
    minus, plus = (zz - product) % P, (zz + product) % P
    x = z * minus * ((x1 + y1) * (x2 + y2) - xx - yy) % P
    return x, z * plus * (yy + xx) % P, minus * plus % P


def times(factor, point):
    result = (0, 1, 1)
    while factor > 0:
        if factor & 1:
            result = added(result, point)
        point = added(point, point)
        factor >>= 1
    return result


def is_same(one, two):
    return (one[0] * two[2] - two[0] * one[2]) % P == 0 and (one[1] * two[2] - two[1] * one[2]) % P == 0


def point_of(data):
    """The point that 32 bytes stand for; None: they stand for none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_ONE % P
    if x * x % P != square or (x == 0 and sign == 1):
        return None
    return (P - x if x & 1 != sign else x), y, 1


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(message, public_key, signature):
    key, half = point_of(public_key), int.from_bytes(signature[32:], "little")
    noted = point_of(signature[:32])
    if key is None or noted is None or half >= ORDER:
        return False
    factor = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    return is_same(times(half, BASE), added(noted, times(factor, key)))


# The public part.


def read_sealed(line, seal_line, signed_as, what):
    """The key that has signed the line."""
    seal = read_line(seal_line, SEAL, "the line behind " + what)
    message = signed_as + line.encode("latin-1")
    signed = is_signed(message, bytes.fromhex(seal["publicKey"]), bytes.fromhex(seal["signature"]))
    demand(signed, f"the signature of {what} is not of its key")
    return seal["publicKey"]


def read_public(text):
    lines = lines_of(text, 4 if text.count("\n") > 2 else 2, "the public part")
    line = lines[0]
    key = read_sealed(line, lines[1], b"pricetime proof 1 statement\n", "the public part")
    statement = read_line(line, STATEMENT, "the public part")
    first = statement["previous"] == "0" * 64
    demand((statement["number"] == 1) == first, "the first proof alone has none before it")
    last_id, names = -1, set()
    for told in statement["assets"]:
        name = told["asset"]
        demand(told["assetId"] > last_id and name not in names, name + " stands twice, or out of turn")
        last_id = told["assetId"]
        names.add(name)
        demand(int(told["leaving"]) <= int(told["total"]), name + ": more is leaving than customers have")
        for house in HOUSE:
            demand(house == "treasury" or told[house][0] != "-", f"{name}: {house} is below zero")
        held = int(told["total"]) + sum(int(told[house]) for house in HOUSE)
        demand(held == int(told["net"]), name + ": what is held is not what came in less what went out")
    digest = hashlib.sha256(line.encode()).hexdigest()
    public = {"told": statement, "digest": digest, "key": key, "reserves": None, "reserves_digest": None}
    if len(lines) == 4:
        public["reserves"] = read_reserves(lines[2], lines[3], public)
        public["reserves_digest"] = hashlib.sha256(lines[2].encode()).hexdigest()
    return public


def read_reserves(line, seal_line, public):
    key = read_sealed(line, seal_line, b"pricetime proof 1 reserves\n", "the reserves")
    demand(key == public["key"], "the reserves are signed with another key than the public part")
    read = read_line(line, RESERVES, "the line of reserves")
    demand(read["statement"] == public["digest"], "the reserves stand beside another proof")
    names, seen = {told["asset"] for told in public["told"]["assets"]}, set()
    for each in read["reserves"]:
        demand(each["asset"] in names, each["asset"] + ": the public part has no such asset, and reserves of it")
        place = each["asset"], each["network"], each["address"].lower()
        demand(place not in seen, f"{each['asset']}: the address {each['address']} is counted twice")
        seen.add(place)
        if each["signature"] != "":
            about = [each[name] for name in ("asset", "network", "address", "block", "amount")]
            message = "\n".join(str(one) for one in ["pricetime reserves 1", public["digest"], *about])
            signer = ethereum_signer(message.encode(), bytes.fromhex(each["signature"]))
            of_key = signer is not None and "0x" + signer.hex() == each["address"].lower()
            demand(of_key, f"{each['asset']}: the signature of {each['address']} is not of its key, or of another statement")
    return read["reserves"]


# Signatures of EVM addresses (EIP-191, personal_sign): Keccak-256, and the key of an ECDSA signature on secp256k1.


def keccak(data):
    rate, state = 136, [0] * 25
    padded = data + b"\x01" + bytes(rate - 1 - len(data) % rate)
    padded = padded[:-1] + bytes([padded[-1] | 0x80])
    for start in range(0, len(padded), rate):
        for lane in range(rate // 8):
            at = start + 8 * lane
            state[lane] ^= int.from_bytes(padded[at : at + 8], "little")
        permute(state)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])


def turned(lane, by):
    return ((lane << by) | (lane >> (64 - by))) & (2**64 - 1) if by else lane


def permute(a):
    """Keccak-f[1600], lanes at x + 5 y."""
    register = 1
    for _ in range(24):
        columns = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        for at in range(25):
            a[at] ^= columns[(at + 4) % 5] ^ turned(columns[(at + 1) % 5], 1)
        x, y, current = 1, 0, a[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            current, a[x + 5 * y] = a[x + 5 * y], turned(current, (step + 1) * (step + 2) // 2 % 64)
        for row in range(0, 25, 5):
            line = a[row : row + 5]
            for x in range(5):
                a[row + x] = line[x] ^ (~line[(x + 1) % 5] & line[(x + 2) % 5] & (2**64 - 1))
        for bit in range(7):
            if register & 1:
                a[0] ^= 1 << ((1 << bit) - 1)
            register = (register << 1) ^ (0x171 if register & 0x80 else 0)


FIELD = 2**256 - 2**32 - 977
GROUP = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
GENERATOR = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def plus(one, two):
    """On y^2 = x^3 + 7; None is the point at infinity."""
    if one is None or two is None:
        return one or two
    (x1, y1), (x2, y2) = one, two
    if x1 == x2 and (y1 + y2) % FIELD == 0:
        return None
    slope = 3 * x1 * x1 * pow(2 * y1, -1, FIELD) if x1 == x2 else (y2 - y1) * pow(x2 - x1, -1, FIELD)
    x = (slope * slope - x1 - x2) % FIELD
    return x, (slope * (x1 - x) - y1) % FIELD


def multiple(factor, point):
    result = None
    while factor > 0:
        if factor & 1:
            result = plus(result, point)
        point = plus(point, point)
        factor >>= 1
    return result


def ethereum_signer(message, signature):
    """The 20 bytes of the address whose key has signed; None: nobody's has."""
    r, s, odd = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big"), signature[64] % 27
    if not (0 < r < GROUP and 0 < s < GROUP and signature[64] in (0, 1, 27, 28)):
        return None
    square = (r**3 + 7) % FIELD
    y = pow(square, (FIELD + 1) // 4, FIELD)
    if y * y % FIELD != square:
        return None
    point = (r, FIELD - y if y & 1 != odd else y)
    digest = keccak(b"\x19Ethereum Signed Message:\n" + str(len(message)).encode() + message)
    inverse = pow(r, -1, GROUP)
    minus = GROUP - int.from_bytes(digest, "big") * inverse % GROUP
    key = plus(multiple(minus, GENERATOR), multiple(s * inverse % GROUP, point))
    return None if key is None else keccak(key[0].to_bytes(32, "big") + key[1].to_bytes(32, "big"))[12:]


def check_pair(one, two):
    demand(one["key"] == two["key"], "the two are signed with different keys")
    if one["digest"] == two["digest"]:
        shown = {part["reserves_digest"] for part in (one, two)} - {None}
        demand(len(shown) < 2, "TWO VIEWS: the venue has signed two lists of reserves beside one proof")
        return "they are the same"
    first, second = sorted((one, two), key=lambda part: part["told"]["number"])
    numbers = first["told"]["number"], second["told"]["number"]
    is_twice = numbers[0] == numbers[1] or first["told"]["seq"] == second["told"]["seq"]
    is_torn = numbers[1] == numbers[0] + 1 and second["told"]["previous"] != first["digest"]
    demand(not is_twice and not is_torn, "TWO VIEWS: the venue has signed two things of which one is false")
    return "the second follows the first" if numbers[1] == numbers[0] + 1 else "others stand between them"


# The customer's part.


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def number(value, length):
    return value.to_bytes(length, "big")


def check_customer(text, public):
    (line,) = lines_of(text, 1, "the customer's part")
    part = read_line(line, CUSTOMER, "the customer's part")
    demand(part["statement"] == public["digest"], "the two files are not of one proof")
    customer = sha256(
        b"\x02", bytes.fromhex(part["secret"]), number(part["accountId"], 8), part["email"].encode("utf-8")
    )
    told_of = {told["asset"]: told for told in public["told"]["assets"]}
    seen = set()
    for holding in part["holdings"]:
        name = holding["asset"]
        demand(name in told_of, name + ": the public part has no such asset")
        demand(name not in seen, name + " stands twice")
        seen.add(name)
        check_holding(holding, told_of[name], public["told"], customer)
    return part


def check_holding(holding, told, statement, customer):
    name, index, path = told["asset"], holding["index"], holding["path"]
    is_fit = len(path) == told["depth"] and index < 2 ** told["depth"]
    demand(is_fit, name + ": the way is not as long as the tree is high")
    about = [statement["seq"], statement["chainHash"], name, told["assetId"], told["decimals"], told["depth"]]
    context = sha256(b"\x03", "\n".join(str(each) for each in about).encode("utf-8"))
    total = int(holding["amount"])
    digest = sha256(b"\x00", context, number(index, 4), customer, number(total, 16))
    for level, (beside_sum, beside_hash) in enumerate(path, start=1):
        own = digest + number(total, 16)
        beside = bytes.fromhex(beside_hash) + number(int(beside_sum), 16)
        children = beside + own if index & 1 else own + beside
        total += int(beside_sum)
        demand(total <= MAX_SUM, name + ": a sum on the way is beyond all bounds")
        index >>= 1
        digest = sha256(b"\x01", context, number(level, 1), number(index, 4), children)
    demand(digest.hex() == told["root"], name + ": the amount is not in the venue's total")
    demand(total == int(told["total"]), name + ": the sums lead to another total")


def decimal(units, decimals):
    sign, digits = ("-", units[1:]) if units[0] == "-" else ("", units)
    digits = digits.rjust(decimals + 1, "0")
    return sign + (digits if decimals == 0 else digits[:-decimals] + "." + digits[-decimals:])


def print_reserves(public):
    if public["reserves"] is None:
        print("reserves: none shown, so nothing here says that the venue has what it owes")
        return
    for told in public["told"]["assets"]:
        held = [each for each in public["reserves"] if each["asset"] == told["asset"]]
        if not held:
            print(told["asset"], "reserves: none shown")
            continue
        total = sum(int(each["amount"]) for each in held)
        signed = sum(each["signature"] != "" for each in held)
        amounts = [decimal(str(units), told["decimals"]) for units in (total, total - int(told["total"]))]
        print(f"{told['asset']} reserves: {amounts[0]}, less what is owed: {amounts[1]}", end=" ")
        print(f"({signed} signed by their addresses, {len(held) - signed} said by the operator)")
    print("reserves digest", public["reserves_digest"])


def main(argv):
    parser = argparse.ArgumentParser(description="Checks a proof of liabilities.")
    parser.add_argument("public", help="the venue's public part")
    parser.add_argument("customer", nargs="?", help="the customer's part")
    parser.add_argument("--key", help="the venue's key, 64 hex digits")
    parser.add_argument("--against", help="another public part of the venue")
    asked = parser.parse_args(argv)
    try:
        public = read_public(read_file(asked.public))
        demand(asked.key in (None, public["key"]), "the public part is signed with another key")
        told = public["told"]
        print(f"proof {told['number']} at entry {told['seq']}, digest {public['digest']}, key {public['key']}")
        if asked.against is not None:
            print(check_pair(public, read_public(read_file(asked.against))))
        if asked.customer is not None:
            part = check_customer(read_file(asked.customer), public)
            decimals = {each["asset"]: each["decimals"] for each in told["assets"]}
            print(f"account {part['accountId']}, {part['email']!a}: is this you?")
            for holding in part["holdings"]:
                print(holding["asset"], decimal(holding["amount"], decimals[holding["asset"]]), "is in the total")
            print("of every other asset the venue says: nothing")
        else:
            for each in told["assets"]:
                print(each["asset"], "owed to customers:", decimal(each["total"], each["decimals"]))
            print_reserves(public)
    except (Refused, OSError) as error:
        print(f"proof_check: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
