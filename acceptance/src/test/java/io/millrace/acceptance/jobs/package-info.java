/** What a job promises, each test named after the trouble that it rules out. */
package io.millrace.acceptance.jobs;
