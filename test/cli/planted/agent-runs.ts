import { toolCalls } from '../mcp/tool-calls.ts';
import { fed, line, type Place, type Step } from './given-files.ts';

/** Calls of every tool of an agent with the planted secrets. */
export function agentRuns({ given, fresh }: Place): Step[] {
  const files = ['good.csv', 'doubtful.csv', 'shifted.csv', 'torn.csv', 'headless.csv'] as const;
  const [plan, job] = [fresh('plan'), fresh('job')];
  const calls = files.flatMap((name) => [
    { name: 'assess', arguments: { file: given(name) } },
    { name: 'plan', arguments: { file: given(name), to: name === 'good.csv' ? plan : fresh('plan') } },
    { name: 'compare', arguments: { file: given(name), to: fresh('compared') } },
    { name: 'forecast', arguments: { file: given(name), job } },
  ]);
  const others = [
    { name: 'status', arguments: {} },
    { name: 'count_users', arguments: {} },
    { name: 'get_user', arguments: { by: 'user_id', value: 'u-1' } },
    { name: 'get_user', arguments: { by: 'email', value: 'ann@example.com' } },
    { name: 'explain', arguments: { code: 'HASH_SHAPE' } },
    { name: 'show_plan', arguments: { directory: plan } },
    { name: 'job_status', arguments: { directory: job } },
  ];
  return [
    line('import-hashes', given('good.csv'), '--yes', '--job', job),
    fed(toolCalls(...calls, ...others), 'mcp', '--root', '/'),
  ];
}
