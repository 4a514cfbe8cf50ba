export type PostgresServer = Readonly<{
  host: string;
  port: number;
  user: string;
  password: string;
  /** The address of one of its databases. */
  url: (database: string) => string;
  /** Ends the server and removes its data. */
  stop: () => Promise<void>;
}>;

/** Starts a server for tests. Raises an Error with a sentence saying what is missing. */
export function startPostgres(): Promise<PostgresServer>;
