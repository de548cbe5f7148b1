"""Check digits of numbers; each function takes the digits alone."""

from datetime import date


def luhn(digits: str) -> bool:
    """Tell whether the last digit is the Luhn check digit (ISO/IEC 7812-1, annex B)."""
    total = 0
    for index, char in enumerate(reversed(digits)):
        value = int(char) * (2 if index % 2 else 1)
        total += value - 9 if value > 9 else value  # noqa: PLR2004 - two digits of a product are added
    return total % 10 == 0


def my_number(digits: str) -> bool:
    """Tell whether 12 digits are a Japanese individual number (ordinance 85 of 2014, article 5)."""
    if len(digits) != 12 or len(set(digits)) == 1:  # noqa: PLR2004 - see above
        return False
    weights = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    rest = sum(int(d) * w for d, w in zip(digits, weights, strict=False)) % 11
    return int(digits[11]) == (0 if rest <= 1 else 11 - rest)


def mod97(iban: str) -> bool:
    """Tell whether an IBAN without spaces has the right check digits (ISO 13616)."""
    moved = iban[4:] + iban[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def nhs(digits: str) -> bool:
    """Tell whether 10 digits are an NHS number (modulus 11)."""
    check = 11 - sum(int(d) * w for d, w in zip(digits, range(10, 1, -1), strict=False)) % 11
    return int(digits[9]) == (0 if check == 11 else check)  # noqa: PLR2004 - the modulus


def rrn(digits: str) -> bool:
    """Tell whether 13 digits are a Korean resident number issued before October 2020."""
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    total = sum(int(d) * w for d, w in zip(digits, weights, strict=False))
    return (11 - total % 11) % 10 == int(digits[12])


def rrn_date(digits: str) -> bool:
    """Tell whether a Korean resident number starts with a date."""
    century = {"1": 1900, "2": 1900, "5": 1900, "6": 1900, "9": 1800, "0": 1800}.get(digits[6], 2000)
    return is_date(century + int(digits[:2]), int(digits[2:4]), int(digits[4:6]))


def is_date(year: int, month: int, day: int) -> bool:
    """Tell whether there is such a day."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def routing(digits: str) -> bool:
    """Tell whether 9 digits are an ABA routing number."""
    weights = (3, 7, 1, 3, 7, 1, 3, 7, 1)
    return digits != "0" * 9 and sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 10 == 0
