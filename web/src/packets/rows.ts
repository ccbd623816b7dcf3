/** The clock at a packet, to the microsecond. `time`: seconds since 1970. */
export const sayPacketTime = (time: number): string => {
  const date = new Date(time * 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const micros = String(Math.round((time % 1) * 1e6) % 1_000_000).padStart(6, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${micros}`;
};

/** Browsers draw nothing higher. Pixels. */
const HIGHEST = 8_000_000;
/** Rows that are drawn beyond those in sight. */
const SPARE = 10;

/** Which rows of a long list are drawn, and how much room is before and behind them. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly behind: number;
}

const heightOf = (rows: number, rowHeight: number): number => Math.min(rows * rowHeight, HIGHEST);

/** A list too high for a browser is scrolled faster than it is high. */
export const windowOf = (
  rows: number,
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
): RowWindow => {
  const whole = heightOf(rows, rowHeight);
  const seen = Math.ceil(height / rowHeight);
  const share = whole <= height ? 0 : Math.min(1, Math.max(0, top / (whole - height)));
  const isScaled = rows * rowHeight > HIGHEST;
  const first = isScaled ? Math.floor(share * Math.max(0, rows - seen)) : Math.floor(top / rowHeight);
  const from = Math.max(0, Math.min(rows, first - SPARE));
  const to = Math.min(rows, first + seen + 1 + SPARE);
  const before = isScaled
    ? Math.max(0, Math.min(top - (first - from) * rowHeight, whole - (to - from) * rowHeight))
    : from * rowHeight;
  return { from, to, before, behind: Math.max(0, whole - before - (to - from) * rowHeight) };
};

/** Where a list has to be scrolled so that a row is in sight; the same where it is. */
export const scrollTo = (
  row: number,
  rows: number,
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
): number => {
  const whole = heightOf(rows, rowHeight);
  if (rows * rowHeight > HIGHEST) {
    const seen = Math.ceil(height / rowHeight);
    const first = Math.floor((top / (whole - height)) * (rows - seen));
    const inSight = row > first && row < first + seen - 2;
    return inSight ? top : (Math.max(0, row - Math.floor(seen / 2)) / (rows - seen)) * (whole - height);
  }
  // The head covers one row.
  if (row * rowHeight < top) return row * rowHeight;
  return Math.max(top, (row + 2) * rowHeight - height);
};

/** Protocols that look alike, by the colour of their rows. */
const FAMILIES: Readonly<Record<string, string>> = {
  ARP: 'address',
  ICMP: 'control',
  ICMPv6: 'control',
  TCP: 'stream',
  HTTP: 'stream',
  UDP: 'datagram',
  DNS: 'service',
  mDNS: 'service',
  DHCP: 'service',
  STP: 'switch',
  LLDP: 'switch',
  CDP: 'switch',
  LMI: 'switch',
};
export const familyOf = (protocol: string): string => FAMILIES[protocol] ?? 'other';

/** The row that a key leads to; null: it leads nowhere. `page`: rows in sight. */
export const rowAfter = (key: string, selected: number | null, rows: number, page: number): number | null => {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows,
    End: rows,
  };
  const step = steps[key];
  if (step === undefined || rows === 0) return null;
  if (selected === null) return step === 1 || key === 'Home' ? 0 : rows - 1;
  return Math.max(0, Math.min(rows - 1, selected + step));
};
