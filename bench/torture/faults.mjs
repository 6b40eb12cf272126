/**
 * The faults that the service injects: answers lost after and before the commit, gateway errors, throttling, tokens
 * that expire.
 */
export const faults = [
  { operation: 'importHashedUser', when: { probability: 0.01 }, do: { reset: 'after_commit' } },
  { operation: 'importHashedUser', when: { probability: 0.005 }, do: { cut_reply: true } },
  { operation: 'importHashedUser', when: { probability: 0.005 }, do: { status: 504, after_commit: true } },
  { operation: 'importHashedUser', when: { probability: 0.005 }, do: { status: 502 } },
  { operation: 'importHashedUser', when: { probability: 0.005 }, do: { reset: 'before_commit' } },
  ...['updateUser', 'disableUser'].flatMap((operation) => [
    { operation, when: { probability: 0.01 }, do: { reset: 'after_commit' } },
    { operation, when: { probability: 0.005 }, do: { status: 502 } },
    { operation, when: { probability: 0.005 }, do: { reset: 'before_commit' } },
  ]),
  { operation: '*', when: { probability: 0.0002 }, do: { status: 503, retry_after: 1 } },
  { operation: '*', when: { probability: 0.0002 }, do: { status: 429, retry_after: 1 } },
  { operation: '*', when: { probability: 0.001 }, do: { expire_token: true } },
];
