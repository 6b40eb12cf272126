/** One HTTP request. Header names are in lower case. */
export interface Request {
  method: string;
  /** Path with the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Writes the body for each sending: keeping the text while its request is running would slow garbage collection down. */
  body?: (() => string) | undefined;
  /** The value that `body` writes, if that is JSON: inside a process it need not be serialized and parsed. */
  value?: unknown;
}

/** An unparsed answer. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Length of the body in bytes. */
  bytes: number;
}

/** A service in the same process: calls `answered` once; with `undefined` if the answer has more than `longest` bytes. */
export type Answer = (
  request: Request,
  answered: (reply: Reply | undefined) => void,
  longest: number,
) => void;
