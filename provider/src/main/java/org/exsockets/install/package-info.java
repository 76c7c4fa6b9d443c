/** The seam between the provider and whatever installs it: settings in, JDK-typed hooks out. */
package org.exsockets.install;
