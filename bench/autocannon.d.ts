/** Types of the part of autocannon that the benchmarks use. The package contains no types. */
declare module "autocannon" {
  export type Request = Readonly<{
    method?: string | undefined;
    path?: string | undefined;
    headers?: Record<string, string> | undefined;
    body?: string | undefined;
    setupRequest?: (defaults: Request) => Request;
    onResponse?: (status: number, body: string) => void;
  }>;

  type Client = Readonly<{ setRequests: (requests: readonly Request[]) => void }>;

  type Options = Readonly<{
    url: string;
    connections: number;
    /** A run ends after `duration` seconds or after `amount` requests. */
    duration?: number;
    amount?: number;
    setupClient: (client: Client) => void;
    verifyBody?: (body: string) => boolean;
  }>;

  /** `duration` is in seconds; the other fields are counts. */
  type Result = Readonly<{ duration: number; errors: number; timeouts: number; mismatches: number }>;

  type Run = Promise<Result> & {
    on(
      event: "response",
      listener: (client: Client, status: number, bytes: number, milliseconds: number) => void,
    ): void;
  };

  export default function autocannon(options: Options): Run;
}
