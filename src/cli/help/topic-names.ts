export const topicNames = {
  environment: 'variables of the environment',
  'exit-codes': 'exit codes, for scripts',
  formatting: 'output formats and fields',
  config: 'profiles and files',
} as const;

export type TopicName = keyof typeof topicNames;
