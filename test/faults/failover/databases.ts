import { bare, type Postgres, startPostgres } from '../../support/postgres.ts';
import { Way } from '../way.ts';

/** Who wrote which event under which epoch: a note of the database itself, made in the transaction of the event. */
export interface Note {
  position: number;
  epoch: number;
  /** The user of the database as which the server is connected: each server has its own. */
  who: string;
  done: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Milliseconds since 1970. */
  at: number;
}

const DATABASE = 'labs';

const NOTES = `
CREATE TABLE public.notes (position bigint, epoch bigint, who text, done text, at timestamptz);
CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.notes SELECT coalesce(NEW.position, OLD.position), epoch, current_user, TG_OP, clock_timestamp()
    FROM topolog.cell WHERE id = coalesce(NEW.cell, OLD.cell);
  RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON topolog.event FOR EACH ROW EXECUTE FUNCTION public.note();`;

/** A database server, its synchronous standby, and a way of each server of the cell to both. */
export class Databases {
  #primary: Postgres;
  #standby: Postgres;
  /** By the place in a server's URL that the primary has at the moment. */
  #place = 0;
  readonly #ways: [Way, Way][] = [];

  private constructor(primary: Postgres, standby: Postgres) {
    this.#primary = primary;
    this.#standby = standby;
  }

  static async start(): Promise<Databases> {
    const primary = await startPostgres();
    await primary.create(DATABASE);
    return new Databases(primary, await primary.standby());
  }

  /** Past all ways. */
  get url(): string {
    return this.#primary.url(DATABASE);
  }

  /** What a server of this name is told: a way of its own to each of the two. */
  async urlOf(server: string): Promise<string> {
    await this.#primary.sql(`CREATE ROLE ${server} SUPERUSER LOGIN`);
    const [primary, standby] = [await Way.open(this.#primary.port), await Way.open(this.#standby.port)];
    this.#ways.push(this.#place === 0 ? [primary, standby] : [standby, primary]);
    const hosts = this.#ways.at(-1)?.map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://${server}@${hosts?.join()}/${DATABASE}`;
  }

  /** Of the n-th server that was told a URL. */
  waysOf(n: number): readonly Way[] {
    return this.#ways[n] ?? [];
  }

  /** From here on; the tables of the log are there. */
  async takeNotes(): Promise<void> {
    await bare(this.url, (client) => client.query(NOTES));
  }

  /** Of events after a position, in the order in which they were made. */
  async notes(after: number): Promise<Note[]> {
    return bare(this.url, async (client) => {
      const { rows } = await client.query<Record<keyof Note, string>>(
        `SELECT position, epoch, who, done, extract(epoch FROM at) * 1000 AS at FROM public.notes
          WHERE position > $1 ORDER BY at, position`,
        [after],
      );
      return rows.map(({ position, epoch, who, done, at }) => ({
        ...{ position: Number(position), epoch: Number(epoch), who, done: done as Note['done'], at: Number(at) },
      }));
    });
  }

  /** The primary dies as in a crash, its standby takes its place, and gets a standby of its own. */
  async failOver(): Promise<void> {
    const [dead, next] = [this.#primary, this.#standby];
    await dead.end('SIGQUIT');
    await next.promote();
    await dead.stop();
    this.#primary = next;
    this.#place = 1 - this.#place;
    this.#standby = await next.standby();
    for (const ways of this.#ways) ways[1 - this.#place]?.lead(this.#standby.port);
  }

  /** Commits wait meanwhile. */
  async withoutStandby(work: () => Promise<void>): Promise<void> {
    await this.#standby.end('SIGINT');
    try {
      await work();
    } finally {
      await this.#standby.start();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#ways.flat().map((way) => way.close()));
    await this.#standby.stop();
    await this.#primary.stop();
  }
}
