/** How a node whose system is a real one is asked for a ping: at its console. Patterns are regular expressions on the lines of the answer. */
export interface ConsolePing {
  /** What is typed. `to`: an address of either family. `size`: octets of data; absent: as it comes. Pure. */
  line(to: string, size?: number): string;
  /** It is over, whatever came of it: without this nobody can say, as where another program than a shell is at the console. */
  over: string;
  /** It was answered. */
  answered: string;
}
