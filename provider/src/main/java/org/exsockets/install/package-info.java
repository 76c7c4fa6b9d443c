/**
 * The seam between the provider and whatever installs it, the agent or a program without it: settings in, JDK-typed
 * hooks out.
 */
package org.exsockets.install;
