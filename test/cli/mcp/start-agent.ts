import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { startWorld, type TestWorld } from '../../world.ts';

/** A world with a directory of files, and an agent that is connected to the program. */
export async function startAgent(...options: string[]) {
  const world = await startWorld();
  const root = join(world.directory, 'files');
  await mkdir(root, { recursive: true });
  return { world, root, ...(await serveAgent(world, root, ...options)) };
}

/** Connects an agent to the program, which serves the files below `root`. */
export async function serveAgent(world: TestWorld, root: string, ...options: string[]) {
  const [toServer, toAgent] = [new PassThrough(), new PassThrough()];
  const circumstances = { stdin: toServer, stdout: toAgent };
  const ended = world.runWith(circumstances, 'mcp', '--root', root, ...options);
  const agent = new Client({ name: 'test', version: '1' });
  // Messages are framed in the same way in both directions.
  await agent.connect(new StdioServerTransport(toAgent, toServer));
  onTestFinished(() => agent.close());
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError = false, structuredContent } = await agent.callTool({ name, arguments: input });
    const printed = structuredContent as Record<string, unknown> | undefined;
    return { isError, ...printed };
  };
  return { agent, call, ended, toServer };
}
