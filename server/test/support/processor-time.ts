/** What this process has worked, in milliseconds; others may have the machine in the meantime. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
