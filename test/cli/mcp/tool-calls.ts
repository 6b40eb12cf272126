/** The messages of an agent: the first message, and calls of tools. */
export function toolCalls(...calls: { name: string; arguments: object }[]): string {
  const greeting = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  const messages = [
    { id: 0, method: 'initialize', params: greeting },
    { method: 'notifications/initialized' },
    ...calls.map((params, at) => ({ id: at + 1, method: 'tools/call', params })),
  ];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}
